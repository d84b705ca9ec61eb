export interface DemoAddresses {
  base: string;
  token: string;
  linkKey: string;
  dir: string;
}

/** What a person can paste next, once the demo runs. */
export function demoGuide({ base, token, linkKey, dir }: DemoAddresses): string {
  const endpoint = `${base}/a2a/@demo/echo`;
  const request =
    `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"'$(date +%s)'",` +
    '"role":"ROLE_USER","parts":[{"text":"Hello"}]}}}';
  return `
Agent card  ${endpoint}/.well-known/agent-card.json
Endpoint    ${endpoint}
Others      ${base}/a2a/@demo/upper   (a program: examples/upper.mjs)
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
`;
}
