import type { Runtime, RuntimeHost, RuntimeJob, RuntimeOutcome } from './runtime.js';

/** Answers with the text of the message: for trying out. */
export class EchoRuntime implements Runtime {
  async run(job: RuntimeJob, host: RuntimeHost): Promise<RuntimeOutcome> {
    host.emit(job.text);
    return { state: 'succeeded', reply: job.text };
  }
}
