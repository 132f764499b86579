"""A server that has to end does so in time, whatever holds it: threads that compute, words that nobody reads."""

import json
import subprocess
import sys

from app.config import ROOT

# Imports once, then forks a server for each way in which one may be held; says of each its exit code and its seconds.
SERVERS = """
import asyncio, json, os, signal, sys, threading, time
import uvicorn
from app.commands import serve

serve.LONGEST_END, serve.DEATHS = 1.0, 0
signal.signal(signal.SIGTERM, serve._leave)


class Database:
    ended = None

    def die(self):
        self.ended = -9


async def site(scope, receive, send):
    await receive()


class Served(serve.Announced):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        self.task = asyncio.create_task(self.held())

    async def held(self):
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGTERM) if how == "told" else database.die()).start()
        if how in ("thread", "told"):
            await asyncio.to_thread(time.sleep, 600)
        elif how == "words":
            sys.stderr.write("x" * 1_000_000)
        elif how == "loop":
            time.sleep(600)


children = {}
for how in sys.argv[1:]:
    if (pid := os.fork()) == 0:
        os.dup2(os.pipe()[1], 2)  # a pipe that nobody empties
        database = Database()
        server = Served(uvicorn.Config(site, port=0, lifespan="off", log_config=None), [], database)
        threading.Thread(target=server.watch, args=(database,), daemon=True).start()
        server.run()
        sys.exit(server.code)
    children[pid] = how
began, said = time.monotonic(), {}
while children:
    pid, status = os.wait()
    said[children.pop(pid)] = [os.waitstatus_to_exitcode(status), time.monotonic() - began]
print(json.dumps(said))
"""
HELD = ("thread", "words", "loop", "told")


def test_a_server_ends_whatever_holds_it() -> None:
    """Without its database by code 1, though a thread, the reader of its words or the loop itself stands still; when it
    is told to, though a thread computes."""
    done = subprocess.run([sys.executable, "-c", SERVERS, *HELD], cwd=ROOT, capture_output=True, text=True, timeout=60)
    said = json.loads(done.stdout)
    assert {how: code for how, (code, _) in said.items()} == {"thread": 1, "words": 1, "loop": 1, "told": 0}
    assert max(seconds for _, seconds in said.values()) < 10, said
