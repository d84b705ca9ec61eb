import type { ChatClient, ChatMessage } from './chat-client.js';
import type { Runtime, RuntimeHost, RuntimeJob, RuntimeOutcome } from './runtime.js';

/** A language model behind an OpenAI-compatible endpoint, with the conversation so far. */
export class OpenAiRuntime implements Runtime {
  constructor(
    private readonly client: ChatClient,
    private readonly system: string | undefined,
  ) {}

  async run(job: RuntimeJob, host: RuntimeHost): Promise<RuntimeOutcome> {
    const said: ChatMessage = { role: 'user', content: job.text };
    const messages = [...instructions(this.system), ...(await host.conversation()), said];
    const answer = await this.client.complete(messages, (text) => host.emit(text), host.signal);
    return {
      state: 'succeeded',
      ...answer,
      remember: [
        { role: 'user', content: job.text },
        { role: 'assistant', content: answer.reply },
      ],
    };
  }
}

export function instructions(system: string | undefined): ChatMessage[] {
  return system === undefined ? [] : [{ role: 'system', content: system }];
}
