// Stands between the kit and the service for what the kit cannot do: it looks for the card at the root of the host
// (that for 0.3 sends a part of its calls there, too), it has no token, and it uses one messageId for many messages. Everything else passes through as it is, both ways.
import { createServer, request } from 'node:http';

const ROOT_CARD = '/.well-known/agent-card.json';

/**
 * @param {{ upstream: string, endpoint: string, token: string, distinctIds: boolean }} options the service's base
 *   URL, the path of the assistant's endpoint, the caller's access token, and whether to number the messages
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startProxy(options) {
  const number = options.distinctIds ? messageNumberer() : (body) => body;
  const server = createServer((incoming, answer) => {
    forward({ incoming, answer, ...options, number }).catch((error) => {
      console.error(`proxy: ${error.message}`);
      answer.destroy();
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

async function forward({ incoming, answer, upstream, endpoint, token, number }) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = number(Buffer.concat(chunks));
  const path = [ROOT_CARD, '/'].includes(incoming.url)
    ? endpoint + incoming.url.replace(/\/$/, '')
    : incoming.url;
  // A credential of the kit's own is a wrong one on purpose.
  const headers = { authorization: `Bearer ${token}`, ...incoming.headers };
  if (body.length > 0) headers['content-length'] = String(body.length);
  const outgoing = request(new URL(path, upstream), { method: incoming.method, headers });
  // A client that goes away ends its request at the service too.
  answer.on('close', () => outgoing.destroy());
  const response = await new Promise((resolve, reject) => {
    outgoing.on('response', resolve).on('error', reject);
    outgoing.end(body);
  });
  answer.writeHead(response.statusCode, response.headers);
  response.pipe(answer);
}

/** The first message under an id keeps it, later ones get a number behind it: scenarios go by how an id begins. */
function messageNumberer() {
  const seen = new Map();
  return (body) => {
    let call;
    try {
      call = JSON.parse(body.toString('utf8'));
    } catch {
      return body;
    }
    const id = call?.params?.message?.messageId;
    if (typeof id !== 'string') return body;
    const uses = (seen.get(id) ?? 0) + 1;
    seen.set(id, uses);
    if (uses === 1) return body;
    call.params.message.messageId = `${id}-${uses}`;
    return Buffer.from(JSON.stringify(call));
  };
}
