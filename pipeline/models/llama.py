"""The embedded model's own process: llama.cpp's HTTP server, from the package xllamacpp, on loopback.

It computes one token at a time (``n_ubatch = 1``): a batch of another size sums in another order, so that
what was asked before would otherwise decide between two words that are nearly as likely. The price is a
fifth of the speed; what it buys is that a resumed run writes what an undisturbed one would have written.
"""

from __future__ import annotations

import argparse
import signal

CACHE_MIB = 256
"""Memory for prompts that were computed before, so that two languages in turn do not displace each other."""


def main() -> None:
    """Serve until the process is ended."""
    parser = argparse.ArgumentParser(description="Serve a GGUF model on loopback.")
    parser.add_argument("--model", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--context", type=int, required=True)
    parser.add_argument("--threads", type=int, required=True)
    serve(parser.parse_args())


def serve(options: argparse.Namespace) -> None:
    """Load the model and answer. The library's server runs in threads of its own."""
    from xllamacpp import CommonParams, Server  # noqa: PLC0415 - 100 MB that only this process needs

    params = CommonParams()
    params.model.path = options.model
    params.model_alias = {options.name}
    params.hostnames = ["127.0.0.1"]
    params.port = options.port
    params.n_ctx = options.context
    params.n_parallel = 1
    params.n_ubatch = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = options.threads
    params.cache_ram_mib = CACHE_MIB
    params.offline = True
    params.ui = False
    params.warmup = False
    server = Server(params)
    print(f"serving {options.name} at {server.listening_address}", flush=True)  # noqa: T201 - for the log
    signal.pause()


if __name__ == "__main__":
    main()
