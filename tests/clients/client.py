"""The official Python client against one server, in each protocol mode; `run` tells it what to ask for."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters

MODES = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}


def target(plan):
    if "url" in plan:
        return plan["url"]
    command, *args = plan["command"]
    return StdioServerParameters(command=command, args=args, env=plan["env"], cwd=plan["folder"])


def holds(what, part, answer):
    text = answer.model_dump_json(by_alias=True)
    assert part in text, f"{what} does not say {part!r}: {text}"


async def ask(plan, mode, version):
    async with Client(target(plan), mode=mode, read_timeout_seconds=20) as client:
        assert client.protocol_version == version, f"{client.protocol_version} instead of {version}"
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert plan["tool"]["name"] in names, names
        called = await client.call_tool(plan["tool"]["name"], plan["tool"]["arguments"])
        assert not called.is_error, called
        holds("the tool", plan["tool"]["says"], called)
        holds("the resource", plan["resource"]["says"], await client.read_resource(plan["resource"]["uri"]))
        prompt = plan["prompt"]
        holds("the prompt", prompt["says"], await client.get_prompt(prompt["name"], prompt["arguments"]))


async def main():
    plan = json.loads(sys.argv[1])
    for mode, version in MODES.items():
        await ask(plan, mode, version)
        print(f"python client, {plan['door']}, {mode}: ok")


asyncio.run(main())
