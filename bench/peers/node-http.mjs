// The limit: bare node:http that reads JSON and writes JSON. It keeps nothing and checks nobody.
import { createServer } from 'node:http';
import { card } from './card.mjs';

const cardText = JSON.stringify(card);

const server = createServer((request, response) => {
  if (request.method === 'GET') return send(response, cardText);
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => send(response, answer(JSON.parse(Buffer.concat(chunks).toString('utf8')))));
});
server.listen(0, '127.0.0.1', () => console.log(`listens on ${server.address().port}`));

function send(response, text) {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function answer({ id, method, params }) {
  if (method === 'SendMessage') return result(id, { task: task('sent', params.message.parts[0].text) });
  if (method === 'CancelTask') return result(id, task(params.id, '', 'TASK_STATE_CANCELED'));
  if (method === 'ListTasks') return result(id, page());
  return result(id, task(params.id, 'x'.repeat(600)));
}

function page() {
  const tasks = Array.from({ length: 50 }, (_, at) => ({
    id: `task-${at}`,
    contextId: 'context-1',
    status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-02T03:04:05.678Z' },
  }));
  return { tasks, nextPageToken: 'next', pageSize: 50, totalSize: 10_000 };
}

function task(id, text, state = 'TASK_STATE_COMPLETED') {
  return {
    id,
    contextId: 'context-1',
    status: { state, timestamp: '2026-01-02T03:04:05.678Z' },
    artifacts: [{ artifactId: 'reply', name: 'Reply', parts: [{ text }] }],
    history: [{ messageId: 'message-1', role: 'ROLE_USER', parts: [{ text }] }],
  };
}

function result(id, value) {
  return JSON.stringify({ jsonrpc: '2.0', id, result: value });
}
