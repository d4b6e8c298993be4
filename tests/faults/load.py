"""One, two and four servers on one PostgreSQL: how many writes and reads a second they carry together, and whether they agree."""

import argparse
import http.client
import json
import os
import random
import threading
import time

from world import Failed, Home, token

# Read by every server at the end; the answers must be the same.
QUESTIONS = ["/api/events?limit=100", "/api/sessions?limit=50", "/api/items?limit=50", "/api/memories?limit=50", "/api/stats"]


def serve(home):
    child = home.start(["serve", "--listen", "127.0.0.1:0", "--json"])
    host, port = json.loads(child.stdout.readline())["url"].removeprefix("http://").split(":")
    return child, (host, int(port))


class Client:
    def __init__(self, address, timeout=60):
        self.connection = http.client.HTTPConnection(*address, timeout=timeout)

    def ask(self, method, path, body=None):
        headers = {"Content-Type": "application/json"} if body is not None else {}
        self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise Failed(f"{method} {path}: {answer.status} {text[:200]}")
        return text


def work(address, seed, until, counts, written):
    client, chance = Client(address), random.Random(seed)
    while time.monotonic() < until:
        text = token(chance)
        client.ask("POST", "/api/events", {"kind": "user_message", "session": f"s{seed}", "content": text, "key": text})
        written.append(text)
        client.ask("GET", "/api/events?limit=20")
        counts[seed] += 2


def agree(running):
    """Workers close and summarise what was written, so an answer can change between two questions; once they are done,
    all servers say the same."""
    for question in QUESTIONS:
        for _ in range(100):
            answers = {without_queue(Client(address).ask("GET", question)) for _, address in running}
            if len(answers) == 1:
                break
            time.sleep(0.2)
        else:
            raise Failed(f"{len(running)} servers answer {question} in {len(answers)} ways: {sorted(answers)}")


def without_queue(answer):
    answer = json.loads(answer)
    answer.pop("jobs", None)
    return json.dumps(answer, sort_keys=True)


def measure(home, servers, clients, seconds):
    running = [serve(home) for _ in range(servers)]
    counts, written = [0] * clients, []
    try:
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=work, args=(running[n % servers][1], n, until, counts, written)) for n in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        agree(running)
    finally:
        for child, _ in running:
            child.terminate()
            child.communicate()
    there = [event.get("content") for event in home.json("log", "tail", "-n", "1000000")["events"]]
    lost = [text for text in written if there.count(text) != 1] if len(written) < 3000 else set(written) - set(there)
    if lost or len(there) != len(set(there)):
        raise Failed(f"{len(lost)} acknowledged writes are not there once")
    return sum(counts) / seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--clients", type=int, default=8)
    args = parser.parse_args()
    for servers in (1, 2, 4):
        home = Home(os.environ["TEST_POSTGRES"])
        home.json("log", "append", "--kind", "read", "--content", "the database is there")
        rate = measure(home, servers, args.clients, args.seconds)
        home.check()
        home.remove()
        print(f"{servers} servers {rate:8.0f} requests a second, half of them writes; the servers agree, nothing lost", flush=True)


if __name__ == "__main__":
    main()
