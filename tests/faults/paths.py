"""Every way in which something is written and acknowledged. Each knows how to write one token and where to find it."""

import json
import os
import socket
import threading
import time

from world import Failed, token, wait_exactly


class Path:
    """One process for each write. `arguments` writes the token, `found` lists the tokens that are there."""
    name = ""
    stdin = ""

    def __init__(self, home, chance):
        self.home, self.chance, self.acknowledged, self.tried = home, chance, [], []
        self.prepare()

    def prepare(self):
        pass

    def before(self, text):
        """What must be there before the write; not killed."""

    def length(self):
        """How long one write takes when nobody kills it."""
        times = []
        for _ in range(5):
            text = token(self.chance)
            self.before(text)
            start = time.monotonic()
            code, out, err = self.home.run(*self.arguments(text), stdin=self.input(text))
            times.append(time.monotonic() - start)
            if code != 0:
                raise Failed(f"{self.name}: {out} {err}")
            self.note(text, out)
        return sorted(times)[2]

    def kill_once(self, length):
        text = token(self.chance)
        self.before(text)
        delay = self.chance.uniform(0, length * 1.3)
        code, out = self.home.killed(self.arguments(text), delay, stdin=self.input(text))
        self.tried.append(text)
        if self.is_acknowledged(code, out):
            self.note(text, out)

    def input(self, text):
        return self.stdin

    def is_acknowledged(self, code, out):
        """The whole answer was given, whether or not the process had ended by itself."""
        try:
            return "error" not in json.loads(out)
        except ValueError:
            return False

    def note(self, text, out):
        self.acknowledged.append(text)

    def whole(self, numbers, what):
        """The tokens of what is written in numbered pieces at once; a part of the pieces alone is a fault."""
        parts = {}
        for event in self.events():
            text, _, number = (event.get("content") or "").partition("|")
            parts.setdefault(text, []).append(number)
        for text, there in parts.items():
            if sorted(there) != list(numbers):
                raise Failed(f"{what} is there in part: {text} {there}")
        return list(parts)

    def settle(self):
        """What the next process does anyway."""

    def verify(self):
        """How many acknowledged tokens are lost, how many are there twice, how many were written unacknowledged."""
        self.settle()
        there = {}
        for text in self.found():
            there[text] = there.get(text, 0) + 1
        lost = [text for text in self.acknowledged if text not in there]
        doubled = [text for text, count in there.items() if count > 1]
        known = set(self.acknowledged)
        silent = [text for text in self.tried if text in there and text not in known]
        return lost, doubled, silent

    def events(self, *filters):
        return self.home.json("log", "tail", "-n", "1000000", *filters)["events"]


class LogAppend(Path):
    name = "log append"

    def arguments(self, text):
        return ["log", "append", "--kind", "user_message", "--session", "s", "--content", text, "--json"]

    def found(self):
        return [event.get("content") for event in self.events()]


class Batch(Path):
    """Five lines, all or none."""
    name = "log append --batch"

    def arguments(self, text):
        return ["log", "append", "--batch", "-", "--json"]

    def input(self, text):
        return "".join(json.dumps({"kind": "read", "session": "s", "content": f"{text}|{n}"}) + "\n" for n in range(5))

    def found(self):
        return self.whole("01234", "a batch")


class Hook(Path):
    """What a hook has answered is in the log, or waits in a file that the next hook takes up."""
    name = "hook"

    def arguments(self, text):
        return ["hook", "claude-code"]

    def input(self, text):
        return json.dumps({"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": text,
                           "cwd": os.path.join(self.home.folder, "work")})

    def is_acknowledged(self, code, out):
        # The answer comes when it is recorded; without that, only the end of the process says that it was put aside.
        return code == 0

    def ending(self):
        return json.dumps({"session_id": "last", "hook_event_name": "SessionEnd", "reason": "other",
                           "cwd": os.path.join(self.home.folder, "work")})

    def settle(self):
        """Who has time takes up what waits: half of it hooks, the rest the jobs."""
        for n in range(20):
            args = ["hook", "claude-code"] if n % 2 == 0 else ["jobs", "run"]
            code, _, err = self.home.run(*args, stdin=self.ending())
            folder = os.path.join(self.home.data, "hooks")
            waiting = [name for name in os.listdir(folder) if name.endswith(".json")] if os.path.isdir(folder) else []
            if not waiting:
                return
        raise Failed(f"{len(waiting)} events still wait: {err}")

    def found(self):
        return [event["content"] for event in self.events("--kind", "user_message")]


class SpoolDrain(Hook):
    """The database is away when the event is heard; the hook that takes it up is killed."""
    name = "spool drain"

    def before(self, text):
        away = {"THROUGHLINE_DATABASE_URL": f"sqlite:{self.home.folder}/user"}
        code, out, err = self.home.run("hook", "claude-code", stdin=self.input(text), env=away)
        if code != 0:
            raise Failed(f"a hook ended with {code}: {err}")
        self.acknowledged.append(text)

    def length(self):
        times = []
        for _ in range(5):
            self.before(token(self.chance))
            start = time.monotonic()
            self.home.run("hook", "claude-code", stdin=self.ending())
            times.append(time.monotonic() - start)
        return sorted(times)[2]

    def kill_once(self, length):
        self.before(token(self.chance))
        self.home.killed(["hook", "claude-code"], self.chance.uniform(0, length * 1.3), stdin=self.ending())


class Remember(Path):
    name = "remember"

    def arguments(self, text):
        return ["remember", text, "--json"]

    def found(self):
        return [memory["content"] for memory in self.home.json("memory", "list", "--all", "-n", "1000000")["memories"]]


class Decide(Path):
    name = "decide"

    def arguments(self, text):
        return ["decide", text, "yes", "--because", "of this", "--json"]

    def found(self):
        known = set(self.tried) | set(self.acknowledged)
        return [text for event in self.events("--kind", "decision")
                for text in [event.get("target") or event.get("summary", "").split(":")[0]] if text in known]


class TaskCreate(Path):
    name = "task create"

    def arguments(self, text):
        return ["task", "create", text, "--json"]

    def found(self):
        return [task["title"] for task in everything(self.home, "tasks", "task", "list")]


class TaskUpdate(Path):
    name = "task update"

    def prepare(self):
        self.task = self.home.json("task", "create", "the one that is updated")["id"]

    def arguments(self, text):
        return ["task", "update", self.task, "--add-evidence", text, "--json"]

    def found(self):
        shown = self.home.json("task", "show", self.task)
        return shown["tasks"][0].get("evidence", [])


class SetSave(Path):
    name = "set save"

    def arguments(self, text):
        return ["set", "save", "CODE", text, "--json"]

    def found(self):
        return [entry["content"] for entry in self.home.json("set", "load", "--all")["items"]]


class ByAnswer(Path):
    """Where the write has no text of its own, the id that was answered must be there."""

    def note(self, text, out):
        self.acknowledged.append(self.identity(json.loads(out)))

    def verify(self):
        lost, doubled, _ = super().verify()
        return lost, doubled, []


class SetFlash(ByAnswer):
    name = "set flash"

    def before(self, text):
        self.home.json("set", "save", "CODE", text)

    def arguments(self, text):
        return ["set", "flash", "--json"]

    def identity(self, answer):
        return answer["checkpoint_id"]

    def found(self):
        return [one["id"] for one in self.home.json("checkpoint", "list", "--limit", "100000")["checkpoints"]]


class CheckpointSave(Path):
    name = "checkpoint save"

    def prepare(self):
        self.home.json("log", "append", "--kind", "user_message", "--session", "s", "--content", "begin")

    def arguments(self, text):
        return ["checkpoint", "save", text, "--session", "s", "--json"]

    def found(self):
        return [one["title"] for one in self.home.json("checkpoint", "list", "--limit", "100000")["checkpoints"]]


class HandoffGive(Path):
    name = "handoff give"

    def prepare(self):
        self.home.json("log", "append", "--kind", "user_message", "--session", "s", "--content", "begin")

    def arguments(self, text):
        return ["handoff", "give", text.split()[-1], "--session", "s", "--json"]

    def found(self):
        given = self.home.json("handoff", "list", "--all", "--limit", "1000000")["handoffs"]
        roles = [one["to"] for one in given]
        return [text for text in dict.fromkeys(self.tried + self.acknowledged) for role in roles if role == text.split()[-1]]


class HandoffTake(Path):
    name = "handoff take"

    def prepare(self):
        self.home.json("log", "append", "--kind", "user_message", "--session", "s", "--content", "begin")

    def before(self, text):
        self.home.json("handoff", "give", text.split()[-1], "--session", "s")

    def arguments(self, text):
        return ["handoff", "take", text.split()[-1], "--session", "t", "--json"]

    def found(self):
        listed = self.home.json("handoff", "list", "--all", "--limit", "1000000")["handoffs"]
        taken = [one["to"] for one in listed if one.get("taken_at")]
        return [text for text in dict.fromkeys(self.tried + self.acknowledged) for role in taken if role == text.split()[-1]]


class MemoryApprove(Path):
    name = "memory approve"

    def before(self, text):
        self.id = self.home.json("remember", text, "--source", "tool_output")["id"]

    def arguments(self, text):
        return ["memory", "approve", self.id, "--json"]

    def found(self):
        listed = self.home.json("memory", "list", "--all", "-n", "1000000")["memories"]
        return [memory["content"] for memory in listed if memory["status"] == "active"]


class Compact(Path):
    name = "session compact"

    def before(self, text):
        lines = [{"kind": kind, "session": text, "content": f"{text} {n} " + "word " * 60}
                 for n in range(24) for kind in ("user_message", "model_message")]
        self.home.json("log", "append", "--batch", "-", stdin="".join(json.dumps(line) + "\n" for line in lines))

    def arguments(self, text):
        return ["session", "compact", text, "--strategy", "sliding_window", "--json"]

    def found(self):
        sessions = {one["id"]: one["client_session"] for one in self.home.json("session", "list", "-n", "1000000")["sessions"]}
        notes = [event for event in self.events("--kind", "system_event") if "compact" in (event.get("target") or "")]
        return [sessions.get(event["session_id"]) for event in notes]


class LogImport(Path):
    """A file of three events of another log, all or none."""
    name = "log import"

    def prepare(self):
        from world import Home
        self.other = Home()

    def before(self, text):
        lines = "".join(json.dumps({"kind": "read", "session": text, "content": f"{text}|{n}"}) + "\n" for n in range(3))
        self.other.json("log", "append", "--batch", "-", stdin=lines)
        code, out, err = self.other.run("log", "export", "--session", text)
        if code != 0:
            raise Failed(err)
        self.file = os.path.join(self.home.folder, "import.jsonl")
        with open(self.file, "w") as file:
            file.write(out)

    def arguments(self, text):
        return ["log", "import", self.file, "--json"]

    def found(self):
        return self.whole("012", "an import")


class Mcp(Path):
    """A server over stdin and stdout is killed while it answers calls."""
    name = "mcp remember"

    def talk(self, texts, delay=None):
        """How long it took; without a delay until all was answered."""
        child = self.home.start(["mcp"])
        hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "faults", "version": "1"}}}
        calls = [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}] + [
            {"jsonrpc": "2.0", "id": n + 1, "method": "tools/call",
             "params": {"name": "remember", "arguments": {"content": text}}} for n, text in enumerate(texts)]
        answers = []
        reader = threading.Thread(target=lambda: answers.extend(iter(child.stdout.readline, b"")))
        reader.start()
        started = time.monotonic()
        try:
            child.stdin.write("".join(json.dumps(call) + "\n" for call in calls).encode())
            child.stdin.flush()
        except BrokenPipeError:
            pass
        if delay is None:
            while len(answers) < len(texts) + 1 and time.monotonic() < started + 60:
                time.sleep(0.001)
        else:
            wait_exactly(child, delay)
        took = time.monotonic() - started
        child.kill()
        reader.join()
        child.wait()
        for stream in (child.stdin, child.stdout, child.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass
        for line in answers:
            try:
                answer = json.loads(line)
            except ValueError:
                continue
            if answer.get("id") and "result" in answer and not answer["result"].get("isError"):
                self.acknowledged.append(texts[answer["id"] - 1])
        return took

    def length(self):
        return self.talk([token(self.chance) for _ in range(4)])

    def kill_once(self, length):
        texts = [token(self.chance) for _ in range(4)]
        self.tried.extend(texts)
        self.talk(texts, self.chance.uniform(0, length * 1.1))

    found = Remember.found


class Rest(Path):
    """A server is killed while clients write to it."""
    name = "rest events"

    def serve(self):
        child = self.home.start(["serve", "--listen", "127.0.0.1:0", "--json"])
        line = child.stdout.readline()
        host, port = json.loads(line)["url"].removeprefix("http://").split(":")
        return child, (host, int(port))

    def prepare(self):
        self.home.json("log", "append", "--kind", "read", "--content", "the database is there")

    def length(self):
        return 0.4

    def kill_once(self, length):
        child, address = self.serve()
        done = []

        def write():
            while True:
                text = token(self.chance)
                self.tried.append(text)
                if not post(address, "/api/events", {"kind": "user_message", "session": "s", "content": text}):
                    return
                done.append(text)

        writers = [threading.Thread(target=write) for _ in range(3)]
        for writer in writers:
            writer.start()
        # A server that has just started is slow to begin; kills are for while it writes.
        end = time.monotonic() + 30
        while not done and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(self.chance.uniform(0, length))
        child.kill()
        for writer in writers:
            writer.join()
        child.communicate()
        self.acknowledged.extend(done)

    found = LogAppend.found


def post(address, path, body):
    """Whether it was acknowledged: the whole answer with a status of success."""
    text = json.dumps(body)
    try:
        with socket.create_connection(address, timeout=60) as stream:
            stream.sendall(f"POST {path} HTTP/1.0\r\nHost: {address[0]}:{address[1]}\r\nContent-Type: application/json\r\n"
                           f"Content-Length: {len(text.encode())}\r\n\r\n{text}".encode())
            answer = b""
            while piece := stream.recv(65536):
                answer += piece
    except OSError:
        return None
    head, _, body = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.") or head.split()[1][:1] != b"2":
        return None
    try:
        return json.loads(body)
    except ValueError:
        return None


def everything(home, name, *args):
    """All pages of a list."""
    found, more = [], []
    while True:
        answer = home.json(*args, "--limit", "1000", *more)
        found += answer[name]
        if not answer.get("next_cursor"):
            return found
        more = ["--cursor", answer["next_cursor"]]


PATHS = [Hook, SpoolDrain, LogAppend, Batch, LogImport, Remember, Decide, MemoryApprove, TaskCreate, TaskUpdate, SetSave,
         SetFlash, CheckpointSave, HandoffGive, HandoffTake, Compact, Mcp, Rest]
