import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Becomes the JSON body; a string goes out as it is. */
  body: unknown;
}

export interface SeenRequest {
  url: string;
  headers: IncomingHttpHeaders;
  body: { method: string; params: Record<string, unknown> };
}

export interface ScriptedEndpoint {
  url: string;
  requests: SeenRequest[];
  close(): Promise<void>;
}

/**
 * An HTTP endpoint that answers each request with the next entry of a list, the last one for ever. `drop` cuts the
 * connection without an answer.
 */
export async function scriptedEndpoint(answers: (ScriptedAnswer | 'drop')[]): Promise<ScriptedEndpoint> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const body = (await json(request)) as SeenRequest['body'];
      requests.push({ url: request.url ?? '', headers: request.headers, body });
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (answer === undefined || answer === 'drop') {
        request.socket.destroy();
        return;
      }
      response.writeHead(answer.status ?? 200, answer.headers);
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a2a/@ann/desk`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
