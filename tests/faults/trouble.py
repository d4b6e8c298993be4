"""What else can go wrong: a torn write-ahead log, a full disk, no right to write, lost connections, crowds."""

import glob
import json
import os
import random
import shutil
import subprocess
import tempfile
import threading
import time

from world import Failed, psql, token


def append(home, text, **more):
    code, out, err = home.run("log", "append", "--kind", "user_message", "--session", "s", "--content", text, "--json", **more)
    return code == 0, err


def contents(home):
    return [event.get("content") for event in home.json("log", "tail", "-n", "1000000")["events"]]


def expect(wanted, home, what):
    there = contents(home)
    lost = [text for text in wanted if there.count(text) != 1]
    if lost:
        raise Failed(f"{what}: {len(lost)} of {len(wanted)} acknowledged writes are not there once: {lost[:3]}")
    home.check()


def torn_log(home, chance, rounds):
    """The tail of the write-ahead log is cut off or garbled, as by the loss of power: what was whole before it is there,
    the database is sound, and it goes on."""
    if home.server:
        return None
    database, log = f"{home.data}/throughline.db", f"{home.data}/throughline.db-wal"
    append(home, "first")
    kept = 0
    for round in range(max(4, rounds // 4)):
        # Somebody who reads keeps the log from being folded into the file.
        reader = subprocess.Popen(["python3", "-c", "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); "
                                   "c.execute('begin'); c.execute('select count(*) from event').fetchall(); "
                                   "print('reads', flush=True); sys.stdin.read()", database],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        reader.stdout.readline()
        # What was there may be in the log as well; only what comes after it is torn.
        base, begun, sizes = contents(home), os.path.getsize(log) if os.path.exists(log) else 0, []
        for _ in range(6):
            text = token(chance)
            if not append(home, text)[0]:
                raise Failed("a write failed")
            sizes.append((os.path.getsize(log), text))
        aside = f"{home.folder}/torn"
        os.makedirs(aside, exist_ok=True)
        shutil.copy(database, f"{aside}/throughline.db")
        shutil.copy(log, f"{aside}/throughline.db-wal")
        reader.kill()
        reader.communicate()
        with open(f"{aside}/throughline.db-wal", "r+b") as file:
            size = file.seek(0, 2)
            cut = chance.randrange(max(begun, sizes[0][0] // 2), size)
            if chance.random() < 0.5:
                file.truncate(cut)
            else:
                file.seek(cut)
                file.write(chance.randbytes(min(size - cut, 4096)))
        for end in ("", "-wal", "-shm"):
            if os.path.exists(database + end):
                os.remove(database + end)
            if os.path.exists(f"{aside}/throughline.db{end}"):
                shutil.move(f"{aside}/throughline.db{end}", database + end)
        whole = [text for size, text in sizes if size <= cut]
        expect([text for text in base if text] + whole, home, f"log torn at {cut} of {size}")
        kept += len(whole)
        if not append(home, token(chance))[0]:
            raise Failed("the torn database does not go on")
    return f"{round + 1} torn logs, {kept} whole writes there"


def full_disk(home, chance, rounds):
    """No file may grow beyond a limit: the write is refused, and what was acknowledged is there."""
    if home.server:
        return None
    acknowledged, refused = [], 0
    for _ in range(4):
        for _ in range(60):
            size = max(os.path.getsize(f"{home.data}/{name}") for name in os.listdir(home.data)) if os.listdir(home.data) else 0
            text = token(chance) + " " + "x" * 12000
            blocks = max(220, size // 1024 + 30)
            child = subprocess.Popen(
                ["bash", "-c", f'trap "" XFSZ; ulimit -f {blocks}; exec "$@"', "bash", os.environ.get("THROUGHLINE_PROGRAM", "throughline"),
                 "log", "append", "--kind", "read", "--content", "-", "--json"],
                cwd=f"{home.folder}/work", env=home.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            out, err = child.communicate(text.encode())
            if child.returncode == 0:
                acknowledged.append(text)
                if chance.random() < 0.5:
                    continue
            else:
                refused += 1
                break
        expect(acknowledged, home, "full disk")
    # Smaller and smaller limits, until nothing fits.
    for blocks in range(200, 0, -20):
        child = subprocess.Popen(
            ["bash", "-c", f'trap "" XFSZ; ulimit -f {blocks}; exec "$@"', "bash", os.environ.get("THROUGHLINE_PROGRAM", "throughline"),
             "log", "append", "--kind", "read", "--content", "-", "--json"],
            cwd=f"{home.folder}/work", env=home.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        text = token(chance) + " " + "x" * 12000
        child.communicate(text.encode())
        if child.returncode == 0:
            acknowledged.append(text)
        else:
            refused += 1
    expect(acknowledged, home, "full disk")
    if not refused:
        raise Failed("the disk was never full")
    return f"{len(acknowledged)} written, {refused} refused"


def read_only(home, chance, rounds):
    """Without the right to write a write is refused with a reason; hooks answer; what was there can be read again."""
    if home.server:
        return None
    text = token(chance)
    append(home, text)
    user = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    os.chmod(home.folder, 0o755)
    for name in os.listdir(home.data):
        os.chmod(f"{home.data}/{name}", 0o444)
    os.chmod(home.data, 0o555)
    ran = subprocess.run([*user, os.environ.get("THROUGHLINE_PROGRAM", "throughline"), "log", "append", "--kind", "read",
                          "--content", "x"], cwd="/", env=home.env, capture_output=True, text=True)
    os.chmod(home.data, 0o755)
    for name in os.listdir(home.data):
        os.chmod(f"{home.data}/{name}", 0o600)
    if ran.returncode == 0 or "writable" not in ran.stderr:
        raise Failed(f"a write without the right to: {ran.returncode} {ran.stderr}")
    expect([text], home, "read-only")
    return "refused with a reason"


def lost_connections(home, chance, rounds):
    """The server cuts connections while transactions run. What failed is tried again under the same key."""
    if not home.server:
        return None
    over, cuts, tries = threading.Event(), [0], [0]

    def cut():
        while not over.is_set():
            killed = psql(home.server, "select count(pg_terminate_backend(pid)) from pg_stat_activity "
                                       "where application_name = 'throughline' and pid <> pg_backend_pid()")
            cuts[0] += int(killed)
            time.sleep(chance.uniform(0, 0.03))

    append(home, "first")
    cutter = threading.Thread(target=cut)
    cutter.start()
    acknowledged = []
    try:
        for n in range(max(20, rounds)):
            text = token(chance)
            for _ in range(200):
                tries[0] += 1
                code, _, err = home.run("log", "append", "--kind", "user_message", "--session", "s", "--content", text,
                                        "--key", f"k{n}", "--json")
                if code == 0:
                    acknowledged.append(text)
                    break
    finally:
        over.set()
        cutter.join()
    expect(acknowledged, home, "lost connections")
    if not cuts[0]:
        raise Failed("no connection was ever cut")
    return f"{len(acknowledged)} written in {tries[0]} tries, {cuts[0]} connections cut"


def server_restarts(home, chance, rounds):
    """A PostgreSQL of its own is stopped at once, as by a crash, and started again while processes write. What failed is tried
    again under the same key."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    if not home.server or not found:
        return None
    programs = os.path.dirname(found[-1])
    user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
    place = tempfile.mkdtemp(prefix="faults-pg.")
    if user:
        shutil.chown(place, "postgres")
    port = chance.randrange(20000, 32000)

    def control(*args):
        subprocess.run([*user, f"{programs}/pg_ctl", "-D", f"{place}/data", "-w", "-l", f"{place}/log", *args], cwd=place,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    subprocess.run([*user, f"{programs}/initdb", "-D", f"{place}/data", "-U", "postgres", "--auth=trust", "--no-sync"], cwd=place,
                   check=True, stdout=subprocess.DEVNULL)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={place}"
    control("-o", options, "start")
    env = {"THROUGHLINE_DATABASE_URL": f"postgres://postgres@127.0.0.1:{port}/postgres"}
    over, acknowledged, tries, unclear = threading.Event(), [], [0], []

    def write(n):
        mine = random.Random(n)
        number = 0
        while not over.is_set():
            text, number = token(mine), number + 1
            while True:
                tries[0] += 1
                code, out, err = home.run("log", "append", "--kind", "user_message", "--session", "s", "--content", text,
                                          "--key", f"{n}-{number}", env=env)
                if code == 0:
                    acknowledged.append(text)
                    break
                if "PostgreSQL" not in err:
                    unclear.append(err)
                    return

    try:
        home.json("log", "append", "--kind", "read", "--content", "first", env=env)
        writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
        for writer in writers:
            writer.start()
        restarts = max(2, min(rounds // 4, 50))
        for _ in range(restarts):
            time.sleep(chance.uniform(0.2, 1.0))
            control("-o", options, "-m", "immediate", "restart")
        over.set()
        for writer in writers:
            writer.join()
        there = [event.get("content") for event in home.json("log", "tail", "-n", "1000000", env=env)["events"]]
        lost = [text for text in acknowledged if there.count(text) != 1]
        if unclear:
            raise Failed(f"an error that does not say what to do: {unclear[0]}")
        if lost or not home.json("check", env=env)["sound"]:
            raise Failed(f"{len(lost)} acknowledged writes are not there once")
    finally:
        over.set()
        control("-m", "immediate", "stop")
        shutil.rmtree(place, ignore_errors=True)
    return f"{restarts} crashes of the server, {len(acknowledged)} written in {tries[0]} tries"


def fifty_at_once(home, chance, rounds):
    """Fifty processes write at the same moment, into a database that is not there yet."""
    texts = [token(chance) for _ in range(50)]
    commands = [["log", "append", "--kind", "user_message", "--session", "s", "--content"], ["remember"], ["task", "create"]]
    children = [(text, home.start([*commands[n % 3], text, "--json"])) for n, text in enumerate(texts)]
    failed = []
    for text, child in children:
        out, err = child.communicate()
        if child.returncode != 0:
            failed.append(err.decode())
    if failed:
        raise Failed(f"{len(failed)} of 50 failed: {failed[:2]}")
    there = contents(home)
    memories = [one["content"] for one in home.json("memory", "list", "--all", "-n", "1000")["memories"]]
    tasks = [one["title"] for one in home.json("task", "list", "--limit", "1000")["tasks"]]
    for n, text in enumerate(texts):
        place = [there, memories, tasks][n % 3]
        if place.count(text) != 1:
            raise Failed(f"{text} is there {place.count(text)} times")
    home.check()
    return "50 processes, none refused"


def remote_away(home, chance, rounds):
    """The team's server is away: hooks answer in time, what they heard waits, and is recorded once when it is back."""
    if not home.server:
        return None
    append(home, "first")
    away = {"THROUGHLINE_DATABASE_URL": "postgres://nobody@192.0.2.1:5432/none"}  # an address that never answers
    texts, slowest = [], 0.0
    for n in range(max(5, min(rounds, 50))):
        text = token(chance)
        start = time.monotonic()
        code, out, err = home.run("hook", "claude-code", env=away, stdin=json.dumps(
            {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": text, "cwd": f"{home.folder}/work"}))
        slowest = max(slowest, time.monotonic() - start)
        if code != 0:
            raise Failed(f"a hook ended with {code}")
        texts.append(text)
    stop = json.dumps({"session_id": "last", "hook_event_name": "SessionEnd", "reason": "other", "cwd": f"{home.folder}/work"})
    children = [home.start(["hook", "claude-code"]) for _ in range(4)]  # who comes back together drains together
    for child in children:
        child.communicate(stop.encode())
    for _ in range(100):
        if not [name for name in os.listdir(f"{home.data}/hooks") if name.endswith(".json")]:
            break
        home.run("jobs", "run")
    expect(texts, home, "remote away")
    return f"{len(texts)} waited and were recorded once, the slowest hook took {slowest * 1000:.0f} ms"


CASES = [torn_log, full_disk, read_only, lost_connections, server_restarts, fifty_at_once, remote_away]
