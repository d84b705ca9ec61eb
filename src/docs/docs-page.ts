import { createHash } from 'node:crypto';
import { V1_EXAMPLES } from './method-examples.js';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}' +
  'pre{background:#f4f4f4;padding:1rem;overflow:auto}';

/** Lets the page have its own style and nothing else (Content-Security-Policy). */
export const PAGE_POLICY = `default-src 'none'; frame-ancestors 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** The methods with their examples on one page without scripts; programs read the document. */
export function docsPage(baseUrl: string): string {
  const methods = V1_EXAMPLES.map(
    ({ method, summary, params, result }) =>
      `<h2>${method}</h2><p>${escape(summary)}.</p><pre>${pretty({ jsonrpc: '2.0', id: 1, method, params })}</pre>` +
      `<pre>${pretty({ jsonrpc: '2.0', id: 1, result })}</pre>`,
  );
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>hello-api</title><style>${STYLE}</style></head>` +
    `<body><h1>hello-api</h1><p>A2A 1.0 over JSON-RPC: <code>POST ${escape(baseUrl)}/a2a/@{username}/{handle}</code> with an ` +
    `account access token and <code>A2A-Version: 1.0</code>. <a href="docs/openapi.json">OpenAPI document</a></p>` +
    `${methods.join('')}</body></html>`
  );
}

function pretty(value: object): string {
  return escape(JSON.stringify(value, null, 2));
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
