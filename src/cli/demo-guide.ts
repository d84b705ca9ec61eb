export interface DemoAddresses {
  base: string;
  token: string;
  linkKey: string;
  apiKey: string;
  dir: string;
}

/** What a person can paste next, once the demo runs. */
export function demoGuide({ base, token, linkKey, apiKey, dir }: DemoAddresses): string {
  const endpoint = `${base}/a2a/@demo/echo`;
  const request =
    `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"'$(node -p 'crypto.randomUUID()')'",` +
    '"role":"ROLE_USER","parts":[{"text":"Hello"}]}}}';
  return `
Agent card  ${endpoint}/.well-known/agent-card.json
Endpoint    ${endpoint}
Others      ${base}/a2a/@demo/upper   (a program: examples/upper.mjs)
            ${base}/a2a/@demo/desk    (asks before it sends; A2A 0.3, below)
            ${base}/a2a/@demo/link?k=${linkKey}
            ${base}/a2a/@demo/private (its owner's token only)
Data, logs  ${dir}

Paste this into a second terminal, then one of the calls below it:

  export HELLO_A2A_URL='${endpoint}'
  export HELLO_ACCESS_TOKEN='${token}'

curl:

  curl -sS "$HELLO_A2A_URL" -H "Authorization: Bearer $HELLO_ACCESS_TOKEN" -H 'A2A-Version: 1.0' \\
    -H 'Content-Type: application/json' -d '${request}'

Python (pip install a2a-sdk==1.1.2 httpx):

  python3 examples/ask.py 'Hello from Python'

This program:

  node bin/hello.mjs send @demo/upper 'hello' --base ${base}

A2A 0.3, with an API key: @demo/desk drafts a letter, asks, and goes on with the answer. Paste these in their order:

${dialogueGuide(base, apiKey)}`;
}

/** The approval dialogue of A2A 0.3 (requirement P6): the answer names the task of the question. */
function dialogueGuide(base: string, apiKey: string): string {
  const call = `curl -sSN "$HELLO_V03_URL" -H "Authorization: Bearer $HELLO_API_KEY" -H 'Content-Type: application/json'`;
  return `  export HELLO_V03_URL='${base}/a2a/demo-desk'
  export HELLO_API_KEY='${apiKey}'

  export HELLO_TASK="$(${call} \\
    -d '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","role":"user","messageId":"'$(node -p 'crypto.randomUUID()')'-ask","parts":[{"kind":"text","text":"I am fine."}]}}}')"
  echo "$HELLO_TASK"
  export HELLO_TASK_ID="$(node -p 'JSON.parse(process.env.HELLO_TASK).result.id')"

  ${call} \\
    -d '{"jsonrpc":"2.0","id":2,"method":"message/stream","params":{"message":{"kind":"message","role":"user","messageId":"'$(node -p 'crypto.randomUUID()')'-yes","taskId":"'$HELLO_TASK_ID'","parts":[{"kind":"text","text":"yes"}]}}}'
`;
}
