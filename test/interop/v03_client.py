"""Walks the 0.3 endpoint with the official SDK 0.3.x and prints what it saw as one JSON object."""

import asyncio
import json
import os
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types import Message, Part, Role, TaskIdParams, TaskQueryParams, TextPart


def message(text, **members):
    part = Part(root=TextPart(text=text))
    return Message(message_id=str(uuid.uuid4()), role=Role.user, parts=[part], **members)


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def walk():
    # The time limits are those of httpx, as with a client that nobody has configured: five seconds of silence.
    async with httpx.AsyncClient(headers={"Authorization": "Bearer " + os.environ["HELLO_API_KEY"]}) as http:

        async def client_for(url, streaming):
            card = await A2ACardResolver(http, url).get_agent_card()
            return card, ClientFactory(ClientConfig(streaming=streaming, httpx_client=http)).create(card)

        async def last(events):
            seen = [event async for event in events]
            task, update = seen[-1]
            return {"task": plain(task), "kinds": [event[1].kind if event[1] else "task" for event in seen]}

        card, sending = await client_for(os.environ["HELLO_ECHO_URL"], False)
        _, streaming = await client_for(os.environ["HELLO_ECHO_URL"], True)
        seen = {"card": plain(card)}
        seen["sent"] = await last(sending.send_message(message("From Python: ü 👋")))
        seen["streamed"] = await last(streaming.send_message(message("From Python: ü 👋")))

        _, slow = await client_for(os.environ["HELLO_SLOW_URL"], True)
        seen["afterSilence"] = await last(slow.send_message(message("Take your time")))

        _, desk = await client_for(os.environ["HELLO_DESK_URL"], True)
        asked = await last(desk.send_message(message("a letter")))
        ids = {"task_id": asked["task"]["id"], "context_id": asked["task"]["contextId"]}
        again = await last(desk.send_message(message("yes", **ids)))
        done = await last(desk.send_message(message("yes", **ids)))
        seen["dialogue"] = [asked, again, done]
        seen["read"] = plain(await desk.get_task(TaskQueryParams(id=ids["task_id"])))

        other = await last(desk.send_message(message("another")))
        seen["canceled"] = plain(await desk.cancel_task(TaskIdParams(id=other["task"]["id"])))
        resubscribed = desk.resubscribe(TaskIdParams(id=other["task"]["id"]))
        seen["resubscribed"] = await last(resubscribed)
    print(json.dumps(seen))


asyncio.run(walk())
