"""Asks an assistant one question with the official Python SDK and prints the reply.

    pip install -r examples/requirements.txt
    export HELLO_A2A_URL=...        # the endpoint; keep a ?k=... link key in it
    export HELLO_ACCESS_TOKEN=...   # an account access token
    python3 examples/ask.py 'What can you help with?'
"""

import asyncio
import os
import sys
import uuid
from urllib.parse import urlsplit, urlunsplit

import httpx
from a2a import types
from a2a.client.transports.jsonrpc import JsonRpcTransport
from google.protobuf.json_format import ParseDict

OPEN_STATES = {types.TaskState.TASK_STATE_SUBMITTED, types.TaskState.TASK_STATE_WORKING}
POLLS = 30


def card_url(endpoint: str) -> str:
    """The card lies beneath the endpoint; a link key in the query stays."""
    parts = urlsplit(endpoint)
    return urlunsplit(parts._replace(path=parts.path.rstrip("/") + "/.well-known/agent-card.json"))


async def ask(text: str) -> int:
    endpoint = os.environ["HELLO_A2A_URL"]
    headers = {"Authorization": f"Bearer {os.environ['HELLO_ACCESS_TOKEN']}", "A2A-Version": "1.0"}
    async with httpx.AsyncClient(headers=headers, timeout=40) as http:
        answer = await http.get(card_url(endpoint))
        answer.raise_for_status()
        card = ParseDict(answer.json(), types.AgentCard())
        print(f"{card.name}: {card.description}", file=sys.stderr)

        client = JsonRpcTransport(http, card, card.supported_interfaces[0].url)
        message = {"messageId": str(uuid.uuid4()), "role": "ROLE_USER", "parts": [{"text": text}]}
        request = {"message": message, "configuration": {"returnImmediately": True}}
        task = (await client.send_message(ParseDict(request, types.SendMessageRequest()))).task
        for poll in range(POLLS):
            if task.status.state not in OPEN_STATES:
                break
            await asyncio.sleep(min(2, 0.2 * (poll + 1)))
            task = await client.get_task(types.GetTaskRequest(id=task.id))

    state = types.TaskState.Name(task.status.state)
    print(f"{state}, task {task.id}", file=sys.stderr)
    for artifact in task.artifacts:
        print("".join(part.text for part in artifact.parts))
    return 0 if state == "TASK_STATE_COMPLETED" else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: ask.py TEXT")
    sys.exit(asyncio.run(ask(sys.argv[1])))
