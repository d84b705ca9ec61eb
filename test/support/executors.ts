import { ScriptedAssistant, scriptedModule } from './scripted-assistant.js';
import type { ScriptedDaemon } from './scripted-daemon.js';
import { TestApi } from './test-api.js';

/** What both scripted executors can do. */
export type Script = Pick<ScriptedAssistant, 'submitted' | 'report' | 'complete' | 'delta'> & {
  readonly submissions: readonly { jobId: string }[];
  readonly jobs: ReadonlyMap<string, { answers: { text: string }[] }>;
};

/** Where the helper runs; what a caller sees must be the same. */
export const EXECUTORS: [name: string, start: () => Promise<{ api: TestApi; daemon: Script }>][] = [
  [
    'behind the relay',
    async () => {
      const api = await TestApi.start();
      const daemon: ScriptedDaemon = await api.daemon();
      return { api, daemon };
    },
  ],
  [
    'in the process',
    async () => {
      const daemon = new ScriptedAssistant();
      const setup = { imports: [scriptedModule(daemon)], withoutAgents: ['helper'] };
      return { api: await TestApi.start({}, setup), daemon };
    },
  ],
];
