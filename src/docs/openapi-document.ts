import { type MethodExample, V03_EXAMPLES, V1_EXAMPLES } from './method-examples.js';

type Json = Record<string, unknown>;

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const json = (schema: Json, more: Json = {}): Json => ({
  content: { 'application/json': { schema, ...more } },
});

const AGENT_PARAMETERS = ['Username', 'Handle', 'LinkKey'].map((name) => ref('parameters', name));
const FAILURES: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'No valid credential came with the request',
  404: 'There is no such assistant, or not for this caller',
  413: 'The body is over 64 KiB',
  429: 'Too many calls, new messages or credentials that are not valid',
  503: "The assistant's computer or the store cannot be used at the moment; nothing was kept unless a task is named",
  504: 'The task goes on; the wait for its end is over',
};

/**
 * The service's HTTP side in OpenAPI 3.1. JSON-RPC has one address for all methods, so each method is an example of the one
 * operation.
 * @param options.baseUrl the public address
 */
export function openApiDocument(options: { baseUrl: string; version: string }): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'hello-api',
      version: options.version,
      summary: 'Durable Agent2Agent (A2A) gateway for assistants on their owners’ computers',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.baseUrl }],
    tags: [
      { name: 'A2A 1.0', description: 'Assistants by their address' },
      { name: 'A2A 0.3', description: 'Published assistants by their id' },
      { name: 'Operation', description: 'Health and metrics' },
    ],
    paths: { ...agentPaths(), ...publishedPaths(), ...operatingPaths() },
    components: components(),
  };
}

function agentPaths(): Json {
  return {
    '/a2a/@{username}/{handle}': {
      parameters: AGENT_PARAMETERS,
      post: {
        tags: ['A2A 1.0'],
        operationId: 'call',
        summary: 'Call a JSON-RPC method of A2A 1.0',
        security: [{ accountToken: [] }],
        parameters: ['A2AVersion', 'IdempotencyKey', 'RequestId', 'Traceparent'].map((name) =>
          ref('parameters', name),
        ),
        requestBody: {
          required: true,
          ...json(ref('schemas', 'Request'), { examples: requests(V1_EXAMPLES) }),
        },
        responses: {
          200: {
            description: 'The result, or a JSON-RPC error',
            headers: { 'X-Request-Id': ref('headers', 'RequestId') },
            ...json(ref('schemas', 'Answer'), { examples: answers(V1_EXAMPLES) }),
          },
          415: {
            description: 'The body is not JSON by its Content-Type',
            ...json(ref('schemas', 'Answer')),
          },
          ...failures(400, 401, 404, 413, 429, 503, 504),
        },
      },
    },
    '/a2a/@{username}/{handle}/.well-known/agent-card.json': {
      parameters: AGENT_PARAMETERS,
      get: {
        tags: ['A2A 1.0'],
        operationId: 'card',
        summary: 'Read the card of an assistant',
        security: [{}, { accountToken: [] }],
        responses: {
          200: { description: 'The card', ...json({ type: 'object' }) },
          304: { description: 'The card has not changed' },
          ...failures(404, 429, 503),
        },
      },
    },
  };
}

/** Answers of streaming methods are events, in whose data stand answers like those of the others. */
function publishedPaths(): Json {
  const address = [ref('parameters', 'AgentId')];
  const answered = V03_EXAMPLES.filter(({ streams }) => !streams);
  return {
    '/a2a/{agentId}': {
      parameters: address,
      post: {
        tags: ['A2A 0.3'],
        operationId: 'callPublished',
        summary: 'Call a JSON-RPC method of A2A 0.3',
        security: [{ apiKey: [] }, { accountToken: [] }],
        parameters: ['RequestId', 'Traceparent'].map((name) => ref('parameters', name)),
        requestBody: {
          required: true,
          ...json(ref('schemas', 'Request'), { examples: requests(V03_EXAMPLES) }),
        },
        responses: {
          200: {
            description: 'The result, a JSON-RPC error, or a stream of them',
            headers: { 'X-Request-Id': ref('headers', 'RequestId') },
            content: {
              'application/json': { schema: ref('schemas', 'Answer'), examples: answers(answered) },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
          ...failures(400, 401, 404, 413, 429, 503),
        },
      },
    },
    '/a2a/{agentId}/.well-known/agent-card.json': {
      parameters: address,
      get: {
        tags: ['A2A 0.3'],
        operationId: 'publishedCard',
        summary: 'Read the card of a published assistant',
        security: [{}],
        responses: { 200: { description: 'The card', ...json({ type: 'object' }) }, ...failures(404) },
      },
    },
  };
}

function operatingPaths(): Json {
  const read = (operationId: string, summary: string, responses: Json): Json => ({
    get: { tags: ['Operation'], operationId, summary, security: [{}], responses },
  });
  const health = (description: string): Json => ({ description, ...json({ type: 'object' }) });
  const off = { description: 'Switched off', ...json(ref('schemas', 'Failure')) };
  return {
    '/healthz': read('alive', 'Ask whether the process answers', { 200: health('It does') }),
    '/readyz': read('ready', 'Ask whether requests should be sent here', {
      200: health('Every part is up'),
      503: health('Some part is down, or the service stops'),
    }),
    '/metrics': read('metrics', 'Read the metrics for Prometheus', {
      200: { description: 'Text format', content: { 'text/plain': { schema: { type: 'string' } } } },
      404: off,
    }),
  };
}

function requests(examples: readonly MethodExample[]): Json {
  return named(examples, ({ method, params }) => ({ jsonrpc: '2.0', id: 1, method, params }));
}

function answers(examples: readonly MethodExample[]): Json {
  return named(examples, ({ result }) => ({ jsonrpc: '2.0', id: 1, result }));
}

function named(examples: readonly MethodExample[], value: (example: MethodExample) => Json): Json {
  return Object.fromEntries(
    examples.map((example) => [example.method, { summary: example.summary, value: value(example) }]),
  );
}

function failures(...statuses: number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => [status, { description: FAILURES[status], ...json(ref('schemas', 'Failure')) }]),
  );
}

function components(): Json {
  const text = { type: 'string' };
  const header = (name: string, description: string, schema: Json = text): Json => ({
    name,
    in: 'header',
    required: false,
    description,
    schema,
  });
  return {
    securitySchemes: {
      accountToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key (hi_…)' },
    },
    headers: { RequestId: { description: 'Names the request in the logs', schema: text } },
    parameters: {
      AgentId: { name: 'agentId', in: 'path', required: true, schema: text },
      Username: { name: 'username', in: 'path', required: true, schema: text },
      Handle: { name: 'handle', in: 'path', required: true, schema: text },
      LinkKey: {
        name: 'k',
        in: 'query',
        required: false,
        description: 'Key of a link-only assistant',
        schema: text,
      },
      A2AVersion: header('A2A-Version', 'Version of the protocol; absent means 0.3', {
        type: 'string',
        examples: ['1.0'],
      }),
      IdempotencyKey: header('Idempotency-Key', 'Retry key; else it is the messageId', {
        type: 'string',
        maxLength: 128,
      }),
      RequestId: header('X-Request-Id', 'Is taken over into logs and answer'),
      Traceparent: header('traceparent', 'Trace context (W3C), handed on to the daemon'),
    },
    schemas: schemas(text),
  };
}

function schemas(text: Json): Json {
  const id = { type: ['string', 'integer', 'null'] };
  const envelope = (more: Json, required: string[]): Json => ({
    type: 'object',
    required: ['jsonrpc', 'id', ...required],
    properties: { jsonrpc: { const: '2.0' }, id, ...more },
  });
  const methods = [...V1_EXAMPLES, ...V03_EXAMPLES].map(({ method }) => method);
  return {
    Request: envelope({ method: { type: 'string', examples: methods }, params: { type: 'object' } }, [
      'method',
    ]),
    Answer: {
      oneOf: [
        envelope({ result: { type: 'object' } }, ['result']),
        envelope({ error: ref('schemas', 'RpcError') }, ['error']),
      ],
    },
    RpcError: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer' },
        message: text,
        data: { type: 'array', items: { type: 'object' } },
      },
    },
    Failure: {
      type: 'object',
      required: ['error'],
      properties: { error: text, taskId: text, contextId: text, requestId: text },
    },
  };
}
