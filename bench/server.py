"""A server process to be measured: the games (with ballast), or the relay that is their floor."""

import argparse
import os
import socket
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from app import garbage
from app.config import Settings
from app.sockets import Protocol


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("games", "relay"))
    parser.add_argument("--fd", type=int, required=True, help="the listening socket")
    parser.add_argument("--ballast", type=int, default=0, help="bytes by which positions are made larger")
    parser.add_argument("--folder", type=Path, required=True)
    args = parser.parse_args()
    settings = Settings(data=args.folder, database_url=os.environ["DATABASE_URL"], secret_key="bench")
    api = _games(settings, args.ballast) if args.kind == "games" else _relay(settings)
    config = uvicorn.Config(  # as `mariscal serve` does
        api, timeout_graceful_shutdown=1, log_level="warning", server_header=False, ws=Protocol
    )
    garbage.collect_seldom()
    with socket.socket(fileno=args.fd) as listener:
        uvicorn.Server(config).run(sockets=[listener])


def _games(settings: Settings, ballast: int) -> FastAPI:
    from app.main import create_app
    from bench import titled

    if ballast:
        titled.install(ballast)
    return create_app(settings)


def _relay(settings: Settings) -> FastAPI:
    from app.games.live import conninfo
    from bench.relay import create

    return create(conninfo(settings.database_url))


if __name__ == "__main__":
    main()
