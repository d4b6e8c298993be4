"""Trajectories of mini-swe-agent (messages of a model and a shell) as one transcript of Claude Code.

    python3 evals/hold/transcripts.py NAME.traj.json... > session.jsonl

Several are one session, one task after the other. Their format has no times: steps are twenty seconds apart.
"""

import datetime
import json
import re
import sys

COMMAND = re.compile(r"```bash\n(.*?)```", re.DOTALL)
RETURNED = re.compile(r"<returncode>(-?\d+)</returncode>")
OUTPUT = re.compile(r"<output>\n?(.*)</output>", re.DOTALL)
clock = datetime.datetime(2026, 1, 5, 9, 0, tzinfo=datetime.timezone.utc)
number = 0


def line(kind, content, **more):
    global clock, number
    clock += datetime.timedelta(seconds=20)
    number += 1
    said = {
        "type": kind,
        "sessionId": "trajectory",
        "cwd": "/testbed",
        "uuid": f"u{number}",
        "timestamp": clock.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
        "message": {"role": kind, "content": content},
    }
    print(json.dumps(said | more))


def result(call, text):
    returned = RETURNED.search(text)
    output = OUTPUT.search(text)
    failed = bool(returned and returned[1] != "0")
    content = output[1] if output else text
    line("user", [{"type": "tool_result", "tool_use_id": call, "is_error": failed, "content": content}])


def session(messages):
    call = None
    for message in messages:
        text = message["content"]
        if not isinstance(text, str):
            text = "\n".join(part.get("text", "") for part in text)
        if message["role"] == "assistant":
            command = COMMAND.search(text)
            thought = (text[: command.start()] if command else text).removeprefix("THOUGHT:").strip()
            blocks = [{"type": "text", "text": thought}] if thought else []
            if command:
                call = f"call{number}"
                tool = {"command": command[1].strip()}
                blocks.append({"type": "tool_use", "id": call, "name": "Bash", "input": tool})
            line("assistant", blocks)
        elif message["role"] == "user" and call:
            result(call, text)
            call = None
        elif message["role"] == "user":
            line("user", text)


for path in sys.argv[1:]:
    with open(path) as file:
        session(json.load(file)["messages"])
