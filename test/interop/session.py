"""Makes calls with the official SDK: one call a line on stdin, what came of it a line on stdout, both in JSON.

A call is {"method", "params", "token", "endpoint"?, "version"?, "through"?: "client"}. Parameters are read into
the SDK's own messages, and answers by protobuf, which refuses fields that it does not know.
"""

import asyncio
import json
import os
import sys

import httpx
from a2a import types
from a2a.client import ClientConfig, ClientFactory
from a2a.client.transports.jsonrpc import JsonRpcTransport
from google.protobuf.json_format import MessageToDict, ParseDict

METHODS = {
    "SendMessage": ("send_message", types.SendMessageRequest),
    "GetTask": ("get_task", types.GetTaskRequest),
    "ListTasks": ("list_tasks", types.ListTasksRequest),
    "CancelTask": ("cancel_task", types.CancelTaskRequest),
    "SendStreamingMessage": ("send_message_streaming", types.SendMessageRequest),
    "SubscribeToTask": ("subscribe", types.SubscribeToTaskRequest),
    "CreateTaskPushNotificationConfig": (
        "create_task_push_notification_config",
        types.TaskPushNotificationConfig,
    ),
    "GetExtendedAgentCard": ("get_extended_agent_card", types.GetExtendedAgentCardRequest),
}


async def client_for(call, http, endpoint):
    if call.get("through") == "client":
        return await ClientFactory(ClientConfig(httpx_client=http)).create_from_url(endpoint)
    # A card that promises everything, so that the SDK asks for what the real one says is not there.
    capabilities = types.AgentCapabilities(streaming=True, push_notifications=True, extended_agent_card=True)
    return JsonRpcTransport(http, types.AgentCard(capabilities=capabilities), endpoint)


async def first_of(answer):
    """Streams and answers alike: the first thing that comes."""
    if hasattr(answer, "__aiter__"):
        return await anext(aiter(answer))
    return await answer


def failure(error):
    cause = error.__cause__
    seen = {"error": type(error).__name__, "message": str(error), "data": getattr(error, "data", None)}
    if isinstance(cause, httpx.HTTPStatusError):
        answer = cause.response
        seen["http"] = {"status": answer.status_code, "headers": dict(answer.headers), "body": answer.json()}
    return seen


async def make(call):
    name, request_type = METHODS[call["method"]]
    headers = {"Authorization": "Bearer " + call["token"]}
    if call.get("version", "1.0") != "":
        headers["A2A-Version"] = call.get("version", "1.0")
    endpoint = call.get("endpoint") or os.environ["HELLO_A2A_URL"]
    async with httpx.AsyncClient(headers=headers, timeout=40) as http:
        try:
            client = await client_for(call, http, endpoint)
            request = ParseDict(call["params"], request_type())
            answer = await first_of(getattr(client, name)(request))
        except Exception as error:  # whatever the SDK raises is what is asked about
            return failure(error)
    return {"result": MessageToDict(answer, always_print_fields_with_no_presence=True)}


async def main():
    for line in sys.stdin:
        print(json.dumps(await make(json.loads(line))), flush=True)


asyncio.run(main())
