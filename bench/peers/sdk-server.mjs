// The official SDK's Express server with an executor that echoes at once.
//   node sdk-server.mjs --seed FILE [--database FILE]
// Without a database its tasks are in memory. The account is the bearer token as it stands: nothing is verified.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AgentCard, Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler } from '@a2a-js/sdk/server/express';
import express from 'express';
import { card } from './card.mjs';

const { values } = parseArgs({ options: { seed: { type: 'string' }, database: { type: 'string' } } });
const store = values.database ? await databaseStore(values.database) : new InMemoryTaskStore();
await seed(JSON.parse(readFileSync(values.seed, 'utf8')));

const agentCard = AgentCard.fromJSON(card);
const handler = new DefaultRequestHandler(agentCard, store, echoExecutor());
const app = express();
// The card as JSON: what the SDK hands out is whatever the provider returns.
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: async () => card }));
app.use('/a2a', jsonRpcHandler({ requestHandler: handler, userBuilder: userOf }));
const server = app.listen(0, '127.0.0.1', () => console.log(`listens on ${server.address().port}`));

async function userOf(request) {
  return user(request.header('authorization').slice('Bearer '.length));
}

function user(userName) {
  return { isAuthenticated: true, userName };
}

async function databaseStore(file) {
  const migrator = fileURLToPath(new URL('./node_modules/@a2a-js/sdk/dist/cli/a2a_db.js', import.meta.url));
  execFileSync(process.execPath, [migrator, 'upgrade', '--url', `sqlite:${file}`], { stdio: 'ignore' });
  const { DatabaseTaskStore } = await import('@a2a-js/sdk/server/database');
  const { default: Database } = await import('better-sqlite3');
  const { Kysely, SqliteDialect } = await import('kysely');
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  return new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database }) }));
}

async function seed({ accountId, text, tasks }) {
  const context = new ServerCallContext({ user: user(accountId), requestedVersion: '1.0' });
  for (const { id, contextId, messageId, statusAtMs } of tasks) {
    await store.save(
      {
        id,
        contextId,
        status: status(TaskState.TASK_STATE_COMPLETED, new Date(statusAtMs)),
        artifacts: [reply(id, text)],
        history: [
          {
            messageId,
            contextId,
            taskId: id,
            role: Role.ROLE_USER,
            parts: [textPart(text)],
            metadata: undefined,
            extensions: [],
            referenceTaskIds: [],
          },
        ],
        metadata: undefined,
      },
      context,
    );
  }
}

function echoExecutor() {
  const held = new Map();
  return {
    async execute({ taskId, contextId, userMessage }, bus) {
      const text = userMessage.parts[0].content.value;
      const task = { id: taskId, contextId, artifacts: [], history: [userMessage], metadata: undefined };
      bus.publish(AgentEvent.task({ ...task, status: status(TaskState.TASK_STATE_WORKING) }));
      if (text.startsWith('hold')) {
        await new Promise((release) => held.set(taskId, { contextId, release }));
        return;
      }
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: reply(taskId, text),
          append: false,
          lastChunk: true,
          metadata: undefined,
        }),
      );
      finish(taskId, contextId, TaskState.TASK_STATE_COMPLETED, bus);
    },
    async cancelTask(taskId, bus) {
      const { contextId, release } = held.get(taskId);
      held.delete(taskId);
      finish(taskId, contextId, TaskState.TASK_STATE_CANCELED, bus);
      release();
    },
  };
}

function finish(taskId, contextId, state, bus) {
  bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status: status(state), metadata: undefined }));
  bus.finished();
}

function status(state, at = new Date()) {
  return { state, message: undefined, timestamp: at.toISOString() };
}

function reply(taskId, text) {
  return {
    artifactId: `${taskId}-reply`,
    name: 'Reply',
    description: '',
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
  };
}

function textPart(value) {
  return { content: { $case: 'text', value }, metadata: undefined, filename: '', mediaType: '' };
}
