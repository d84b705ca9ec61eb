"""A whole daemon in one file: it keeps its jobs in SQLite and answers each with the message's own text.

    pip install -r examples/requirements.txt
    export HELLO_RELAY_URL=ws://localhost:3000/relay HELLO_RELAY_TOKEN=rt_...
    python3 examples/daemon.py [FILE]        # its database; daemon.sqlite when none is named

docs/relay-protocol.md explains every frame. Put your own assistant in the place of `answer`.
"""

import asyncio, itertools, json, os, random, sqlite3, sys, uuid
from datetime import datetime, timezone
from websockets import ConnectionClosed, connect

STOP = {4401, 4403, 4406, 4409}  # token bad, token revoked, no common protocol, another daemon took over
INSTANCE, NUMBERS, DURABLE, BAD_PARAMETERS = str(uuid.uuid4()), itertools.count(1), "durable-a2a-v1", (KeyError, TypeError)
UNREADABLE = {-32600, -32602}  # how the API says that repeating an update will not help
if len(sys.argv) > 2 or any(argument.startswith("-") for argument in sys.argv[1:]):
    sys.exit(__doc__)
# With no transaction of its own open, each statement is on disk when `execute` returns.
db = sqlite3.connect(sys.argv[1] if len(sys.argv) > 1 else "daemon.sqlite", isolation_level=None)
db.execute("CREATE TABLE IF NOT EXISTS jobs (id TEXT PRIMARY KEY, content TEXT, text TEXT, state TEXT,"
           " revision INTEGER, acknowledged INTEGER, reply TEXT, why TEXT, updated_at TEXT, expires_at TEXT)")
changed = asyncio.Event()

async def answer(text):
    return text

async def run(job_id, text):
    if move(job_id, "queued", "running"):  # not when it was canceled, or runs already
        try:
            move(job_id, "running", "succeeded", reply=(await answer(text))[:100_000])
        except Exception:
            move(job_id, "running", "failed", why="The assistant failed unexpectedly.")

def move(job_id, old, new, reply=None, why=None):
    moved = db.execute("UPDATE jobs SET state = ?, reply = ?, why = ?, updated_at = ?, revision = revision + 1"
                       " WHERE id = ? AND state = ?", (new, reply, why, now(), job_id, old))
    changed.set()
    return moved.rowcount == 1

def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")

def report(job_id):
    row = db.execute("SELECT state, revision, reply, why, updated_at FROM jobs WHERE id = ?", (job_id,)).fetchone()
    members = zip(("state", "revision", "reply", "statusText", "updatedAt"), row or ("unknown",))
    return {"jobId": job_id, **{name: value for name, value in members if value is not None}}

class Refusal(Exception):
    """Its text is the protocol's word for the reason."""

def submit(order):
    try:
        content = json.dumps([order[name] for name in ("agent", "contextId", "caller", "origin", "interactive", "message")], sort_keys=True)
        job_id, text, expires_at = order["jobId"], order["message"]["text"], order["expiresAt"]
    except BAD_PARAMETERS:
        raise Refusal("invalid_job")
    db.execute("INSERT OR IGNORE INTO jobs VALUES (?, ?, ?, 'queued', 1, 1, NULL, NULL, ?, ?)", (job_id, content, text, now(), expires_at))
    if db.execute("SELECT content FROM jobs WHERE id = ?", (job_id,)).fetchone() != (content,):
        raise Refusal("conflict")
    asyncio.create_task(run(job_id, text))
    return {name: report(job_id)[name] for name in ("state", "revision")}

def cancel(params):
    move(params["jobId"], "queued", "canceled")  # what runs already is too quick to be stopped
    if report(params["jobId"])["state"] == "unknown":
        raise Refusal("unknown_job")
    return report(params["jobId"])

def give_input(params):
    raise Refusal("not_waiting")  # this assistant never asks

def forget(params):
    db.executemany("DELETE FROM jobs WHERE id = ? AND state <> 'running'", [(job_id,) for job_id in params["jobIds"]])
    return {}

METHODS = {"job.submit": submit, "job.status": lambda params: {"jobs": [report(job_id) for job_id in params["jobIds"]]},
           "job.cancel": cancel, "job.input": give_input, "job.forget": forget}

def valid_id(number):
    return isinstance(number, str) and len(number) <= 128 or type(number) is int and abs(number) < 2**53

def respond(frame):
    method, params = frame["method"], frame.get("params", {})
    if not valid_id(frame.get("id", 0)) or not isinstance(method, str):
        return {"error": {"code": -32600, "message": "no valid request"}}
    try:
        return {"result": METHODS[method](params)} if method in METHODS else {"error": {"code": -32601, "message": "no such method"}}
    except Refusal as refusal:
        return {"error": {"code": -32000, "message": f"refused: {refusal}", "data": {"reason": str(refusal)}}}
    except BAD_PARAMETERS:
        return {"error": {"code": -32602, "message": "wrong parameters"}}

async def send(ws, **frame):
    await ws.send(json.dumps({"jsonrpc": "2.0", **frame}, ensure_ascii=False))

async def tell(ws, told):
    while True:  # what is not acknowledged, at most 16 updates at once
        changed.clear()
        for job_id, revision in db.execute("SELECT id, revision FROM jobs WHERE revision > acknowledged").fetchall():
            if (job_id, revision) not in told.values() and len(told) < 16:
                told[number := next(NUMBERS)] = (job_id, revision)
                await send(ws, id=number, method="job.updated", params=report(job_id))
        await changed.wait()

def acknowledge(told, frame):
    job_id, revision = told.pop(frame["id"], (None, 0)) if valid_id(frame.get("id")) else (None, 0)
    try:
        if "error" in frame and frame["error"]["code"] in UNREADABLE:  # a failure in its place, and nothing after that
            db.execute("UPDATE jobs SET acknowledged = revision WHERE id = ? AND revision = ?", (job_id, revision))
            return move(job_id, "succeeded", "failed", why="The service could not read the reply.")
        acknowledged, known = min(revision, frame["result"]["acknowledged"]), frame["result"].get("known")
    except BAD_PARAMETERS:  # the API could not store it now: once more in a while
        return asyncio.get_running_loop().call_later(5, changed.set)
    db.execute("UPDATE jobs SET acknowledged = max(acknowledged, ?) WHERE id = ?", (acknowledged, job_id))
    if known is False:
        db.execute("DELETE FROM jobs WHERE id = ? AND state IN ('succeeded', 'failed', 'canceled')", (job_id,))
    changed.set()

async def talk(ws):
    who = {"name": "daemon.py", "version": "1", "instanceId": INSTANCE}
    await send(ws, id=0, method="relay.hello", params={"protocol": 1, "daemon": who, "capabilities": [DURABLE], "agents": ["*"]})
    if DURABLE not in json.loads(await ws.recv())["result"]["capabilities"]:
        return await ws.close(4406, f"{DURABLE} is required")
    told = {}
    teller = asyncio.create_task(tell(ws, told))
    try:
        async for text in ws:
            try:
                frame = json.loads(text)
                if frame["jsonrpc"] != "2.0" or not frame.keys() & {"method", "result", "error"}:
                    raise ValueError
            except (ValueError, *BAD_PARAMETERS):
                return await ws.close(4400, "not a frame of the protocol")
            if "method" not in frame:
                acknowledge(told, frame)
            elif (result := respond(frame)) and "id" in frame:
                await send(ws, id=frame["id"] if valid_id(frame["id"]) else None, **result)
    finally:
        teller.cancel()

async def main():
    db.execute("DELETE FROM jobs WHERE expires_at <= ?", (now(),))
    for (job_id,) in db.execute("SELECT id FROM jobs WHERE state = 'running'").fetchall():
        move(job_id, "running", "failed", why="The daemon was restarted while this job ran.")
    waiting = [asyncio.create_task(run(*job)) for job in db.execute("SELECT id, text FROM jobs WHERE state = 'queued'").fetchall()]
    async for ws in connect(os.environ["HELLO_RELAY_URL"], subprotocols=["hello.relay.v1"], compression=None, max_size=2**21,
                            additional_headers={"Authorization": f"Bearer {os.environ['HELLO_RELAY_TOKEN']}"}):
        try:
            await talk(ws)
        except ConnectionClosed:
            pass
        if ws.close_code in STOP and INSTANCE not in (ws.close_reason or ""):
            sys.exit(f"The API ended the link for good: {ws.close_code} {ws.close_reason}")
        await asyncio.sleep(random.random())

asyncio.run(main())
