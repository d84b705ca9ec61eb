import {
  DaemonConfigError,
  defaultDaemonConfig,
  loadDaemonConfig,
  parseDaemonConfig,
} from './load-daemon-config.js';

describe('the daemon’s configuration', () => {
  const problemsOf = (text: string): readonly string[] => {
    try {
      parseDaemonConfig(text);
    } catch (error) {
      if (error instanceof DaemonConfigError) return error.problems;
    }
    return [];
  };

  it('reads the example of the documentation, with defaults', () => {
    const config = parseDaemonConfig(`
      concurrency: 2
      agents:
        helper: { runtime: command, command: [node, job.mjs] }
        desk:   { runtime: workflow, steps: [ { command: [draft] }, { approval: "Send it?" }, { reply: "Sent." } ] }
        ai:     { runtime: openai, baseUrl: "http://127.0.0.1:11434/v1/", model: llama3, apiKeyEnv: OPENAI_API_KEY }
        "*":    { runtime: echo }
    `);
    expect(config).toMatchObject({ concurrency: 2, queueLimit: 100 });
    expect(config.agents.helper).toMatchObject({ timeoutSeconds: 600, env: [] });
    expect(config.agents.ai).toMatchObject({ baseUrl: 'http://127.0.0.1:11434/v1', idleSeconds: 120 });
  });

  it.each([
    ['agents: { a: { runtime: command } }', 'agents.a.command'],
    ['agents: { a: { runtime: command, command: [] } }', 'agents.a.command.0'],
    ['agents: { a: { runtime: command, command: "rm -rf" } }', 'agents.a.command'],
    ['agents: { a: { runtime: command, command: [x], env: ["A=B"] } }', 'agents.a.env.0'],
    ['agents: { a: { runtime: echo, timeoutSeconds: 0 } }', 'agents.a.timeoutSeconds'],
    ['agents: { a: { runtime: magic } }', 'agents.a.runtime'],
    ['agents: { a: { runtime: echo, comand: [x] } }', 'agents.a'],
    ['agents: { a: { runtime: openai, baseUrl: "ftp://x", model: m } }', 'agents.a.baseUrl'],
    ['agents: { a: { runtime: workflow, steps: [] } }', 'agents.a.steps'],
    ['agents: { a: { runtime: workflow, steps: [{ replay: x }] } }', 'agents.a.steps.0'],
    ['agents: { a: { runtime: workflow, steps: [{ prompt: x, using: b }] } }', 'agents.a.steps.0.using'],
    [
      'agents: { a: { runtime: workflow, steps: [{ prompt: x, using: constructor }] } }',
      'agents.a.steps.0.using',
    ],
    ['concurrency: 0\nagents: {}', 'concurrency'],
    ['queueLimit: many\nagents: {}', 'queueLimit'],
    ['agents: { Helper: { runtime: echo } }', 'agents.Helper'],
    ['agents: { "a b": { runtime: echo } }', 'agents.a b'],
    ['agents: { __proto__: { runtime: echo }, a: { runtime: echo } }', 'agents.__proto__'],
    ['', 'agents'],
    ['[]', 'file'],
  ])('refuses %j and names the entry and field: %s', (text, place) => {
    expect(problemsOf(text).some((problem) => problem.startsWith(`${place}:`))).toBe(true);
  });

  it('says where a file is no YAML, and when there is none', async () => {
    const broken = problemsOf('agents: { a').join();
    expect(broken).toMatch(/line 1/);
    expect(broken).not.toMatch(/\n|:$/);
    await expect(loadDaemonConfig('/no/such/daemon.yaml')).rejects.toThrow(/ENOENT/);
  });

  it('has a configuration without a file for the runtime that needs no settings, and for no other', () => {
    expect(defaultDaemonConfig('echo').agents).toMatchObject({ '*': { runtime: 'echo' } });
    expect(() => defaultDaemonConfig('openai')).toThrow(/configuration file/);
  });
});
