"""Walks the 1.0 endpoint with the official SDK and prints what it saw as one JSON object.

Everything is parsed by protobuf, which refuses fields that it does not know.
"""

import asyncio
import json
import os
import uuid

import httpx
from a2a import types
from a2a.client.transports.jsonrpc import JsonRpcTransport
from a2a.utils.errors import A2AError
from google.protobuf.json_format import MessageToDict, ParseDict

TERMINAL = {
    types.TaskState.TASK_STATE_COMPLETED,
    types.TaskState.TASK_STATE_FAILED,
    types.TaskState.TASK_STATE_CANCELED,
    types.TaskState.TASK_STATE_REJECTED,
}


async def error_of(call):
    try:
        await call
        return None
    except A2AError as error:
        return type(error).__name__


async def walk():
    endpoint = os.environ["HELLO_A2A_URL"]
    headers = {"Authorization": "Bearer " + os.environ["HELLO_ACCESS_TOKEN"], "A2A-Version": "1.0"}
    seen = {}
    async with httpx.AsyncClient(headers=headers, timeout=40) as http:
        path, _, query = endpoint.partition("?")
        answer = await http.get(path + "/.well-known/agent-card.json" + ("?" + query if query else ""))
        answer.raise_for_status()
        card = ParseDict(answer.json(), types.AgentCard(), ignore_unknown_fields=False)
        seen["card"] = MessageToDict(card)
        client = JsonRpcTransport(http, card, card.supported_interfaces[0].url)

        def request(immediately, message_id=None):
            message = {
                "messageId": message_id or str(uuid.uuid4()),
                "role": "ROLE_USER",
                "parts": [{"text": "From Python: ü 👋"}],
            }
            body = {"message": message, "configuration": {"returnImmediately": immediately}}
            return ParseDict(body, types.SendMessageRequest())

        first = request(True)
        task = (await client.send_message(first)).task
        seen["repeatIsSame"] = (await client.send_message(first)).task.id == task.id
        for _ in range(60):
            if task.status.state in TERMINAL:
                break
            await asyncio.sleep(0.1)
            task = await client.get_task(types.GetTaskRequest(id=task.id))
        seen["task"] = MessageToDict(task)
        seen["waited"] = MessageToDict((await client.send_message(request(False))).task)
        listed = await client.list_tasks(types.ListTasksRequest(page_size=1, include_artifacts=True))
        seen["list"] = MessageToDict(listed, always_print_fields_with_no_presence=True)
        seen["unknownTask"] = await error_of(client.get_task(types.GetTaskRequest(id=str(uuid.uuid4()))))
        seen["cancelFinished"] = await error_of(client.cancel_task(types.CancelTaskRequest(id=task.id)))
    print(json.dumps(seen))


asyncio.run(walk())
