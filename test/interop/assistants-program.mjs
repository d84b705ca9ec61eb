// A team's program with an assistant in the process, on the package's entry points. Every run is written down before it goes on.
import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
import { Module } from '@nestjs/common';
import { Assistant, loadAppConfig, serve } from 'hello-api';

const [, , ledger] = process.argv;
const note = (what, { taskId }) => appendFileSync(ledger, `${what} ${taskId}\n`);

class Desk {
  async run(job, context) {
    if (job.text === 'asks') {
      const answer = await context.ask('Which?');
      note('ran', job);
      return `you said ${answer}`;
    }
    note('ran', job);
    if (job.text === 'runs') await once(context.signal, 'abort');
    if (job.text === 'forgets') void context.ask('Which?');
    if (job.text === 'fails late') void context.once('late', () => Promise.reject(new Error('late')));
    return `done: ${job.text}`;
  }
}
Assistant({ handle: 'desk', account: { id: 'acct-team', username: 'team' }, visibility: 'public' })(Desk);

class TeamModule {}
Module({ providers: [Desk] })(TeamModule);

const server = await serve(loadAppConfig(process.env), { imports: [TeamModule] });
console.log(`listens on ${server.url}`);
process.once('SIGTERM', () => void server.close());
