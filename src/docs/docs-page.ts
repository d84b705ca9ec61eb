import { createHash } from 'node:crypto';
import { type MethodExample, V03_EXAMPLES, V1_EXAMPLES } from './method-examples.js';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}' +
  'pre{background:#f4f4f4;padding:1rem;overflow:auto}';

/** Lets the page have its own style and nothing else (Content-Security-Policy). */
export const PAGE_POLICY = `default-src 'none'; frame-ancestors 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** The methods with their examples on one page without scripts; programs read the document. */
export function docsPage(baseUrl: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>hello-api</title><style>${STYLE}</style></head>` +
    `<body><h1>hello-api</h1><p><a href="docs/openapi.json">OpenAPI document</a></p>` +
    `<h2>A2A 1.0</h2><p><code>POST ${escape(baseUrl)}/a2a/@{username}/{handle}</code> with an account access token and ` +
    `<code>A2A-Version: 1.0</code></p>${sectionsOf(V1_EXAMPLES)}` +
    `<h2>A2A 0.3</h2><p><code>POST ${escape(baseUrl)}/a2a/{agentId}</code> with an API key or an account access token</p>` +
    `${sectionsOf(V03_EXAMPLES)}</body></html>`
  );
}

function sectionsOf(examples: readonly MethodExample[]): string {
  return examples
    .map(
      ({ method, summary, params, result }) =>
        `<h3>${method}</h3><p>${escape(summary)}.</p><pre>${pretty({ jsonrpc: '2.0', id: 1, method, params })}</pre>` +
        `<pre>${pretty({ jsonrpc: '2.0', id: 1, result })}</pre>`,
    )
    .join('');
}

function pretty(value: object): string {
  return escape(JSON.stringify(value, null, 2));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
