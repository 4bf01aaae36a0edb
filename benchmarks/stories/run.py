#!/usr/bin/env python3
"""Measures the stories of the sample and keeps the figures in results.json beside this file.

    run.py values|syncvasync|customers|products|backend [delay]     one story; each takes under three minutes
    run.py build                                                    publishes the sample that the stories run

Needs the SDK and hey. STORIES_POSTGRES, a connection string, makes the database stories use PostgreSQL. Every route is measured on a fresh
process: the threads that one run made the pool grow would serve the next.
"""
import concurrent.futures
import csv
import io
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
PUBLISHED = pathlib.Path(tempfile.gettempdir()) / "asyncprobe-stories"
PORT = int(os.environ.get("STORIES_PORT", "22180"))
BASE = f"http://127.0.0.1:{PORT}"


class Sample:
    """The sample in a process of its own, in Production: no headers, no logging of call sites, as an app would run."""

    def __init__(self, *arguments):
        command = ["dotnet", str(PUBLISHED / "AsyncProbe.Sample.dll"), "--urls", BASE, *arguments]
        if os.environ.get("STORIES_POSTGRES"):
            command += ["--ConnectionStrings:Postgres", os.environ["STORIES_POSTGRES"]]
        self.process = subprocess.Popen(
            command, env={**os.environ, "ASPNETCORE_ENVIRONMENT": "Production", "Logging__LogLevel__Default": "Error"},
            stdout=subprocess.DEVNULL)

    def __enter__(self):
        for _ in range(300):
            try:
                get("/values/delay?ms=0")
                return self
            except OSError:
                time.sleep(0.1)
        raise SystemExit("the sample did not start")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def get(path):
    with urllib.request.urlopen(BASE + path, timeout=60) as answer:
        return answer.read()


def load(path, clients, seconds, rate=None):
    """Loads one route with hey and reads each request's time."""
    command = ["hey", "-z", f"{seconds}s", "-c", str(clients), "-t", "60", "-o", "csv"]
    if rate:
        command += ["-q", str(rate / clients)]
    output = subprocess.run([*command, BASE + path], capture_output=True, text=True, check=True).stdout
    rows = [row for row in csv.DictReader(io.StringIO(output)) if row["status-code"]]
    took = sorted(float(row["response-time"]) * 1000 for row in rows)
    good = sum(row["status-code"] == "200" for row in rows)
    # Until the last answer: the requests that were still open at the end are part of the work.
    length = max(float(row["offset"]) + float(row["response-time"]) for row in rows)
    figures = {"clients": clients, "requests": len(rows), "good": good, "perSecond": good / length, "meanMs": sum(took) / len(took)}
    for percent in (50, 90, 95, 99):
        figures[f"p{percent}Ms"] = took[min(len(took) - 1, len(took) * percent // 100)]
    figures["maxMs"] = took[-1]
    print(path, {key: round(value, 1) for key, value in figures.items()}, flush=True)
    return figures


def measure(path, clients, seconds, *arguments, warm=None, rate=None):
    with Sample(*arguments):
        for _ in range(10):
            get(warm or path)
        return load(path, clients, seconds, rate)


def values():
    limit = ("--Sample:MaxWorkerThreads", "16")
    return {name: measure(f"/values/{name}?ms=1000", 64, 10, *limit, warm=f"/values/{name}?ms=1")
            for name in ("sleep", "delay", "cached")}


def syncvasync():
    figures = {}
    for name in ("sync", "async"):
        with Sample("--Sample:MaxWorkerThreads", "8"):
            get(f"/api/syncvasync/{name}")
            began = time.time()
            # Clients that start one after another, as clients do; three calls each.
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                def call():
                    sent = time.time()
                    left = json.loads(get(f"/api/syncvasync/{name}"))["availableWorkerThreads"]
                    return left, (time.time() - sent) * 1000

                def client(i):
                    time.sleep(i * 0.1)
                    return [call() for _ in range(3)]
                calls = [one for several in pool.map(client, range(16)) for one in several]
            figures[name] = {"clients": 16, "requests": len(calls), "perSecond": len(calls) / (time.time() - began),
                             "meanMs": sum(took for _, took in calls) / len(calls), "leastWorkersLeft": min(left for left, _ in calls)}
            print(name, figures[name], flush=True)
    return figures


def customers():
    return {name: measure(f"/Customers/{name}", clients, 10) for name, clients in
            (("SyncGet200MsDelay", 100), ("AsyncGet200MsDelay", 100), ("SyncGetCpuBound", 16), ("AsyncGetCpuBound", 16))}


def products():
    return {name: measure(f"/{name}?category=all", 100, 20, rate=100) for name in ("SyncProduct", "Product")}


def backend(delay):
    cells = {}
    for clients in (16, 32, 64, 128):
        for name in ("sync", "async"):
            with Sample() as _:
                for _ in range(5):
                    get(f"/backend/{name}?delayMs=1")
                cells.setdefault(str(clients), {})[name] = load(f"/backend/{name}?delayMs={delay}", clients, 4)
    return cells


def keep(story, figures):
    path = HERE / "results.json"
    results = json.loads(path.read_text()) if path.exists() else {}
    results["machine"] = {"cores": os.cpu_count(), "system": platform.system(), "database": "PostgreSQL" if os.environ.get("STORIES_POSTGRES") else "SQLite"}
    if story == "backend":
        results.setdefault(story, {}).update(figures)
    else:
        results[story] = figures
    path.write_text(json.dumps(results, indent=2) + "\n")


def main():
    story, *rest = sys.argv[1:] or ["help"]
    if story == "build":
        subprocess.run(["dotnet", "publish", "-c", "Release", "-o", str(PUBLISHED), str(ROOT / "src/AsyncProbe.Sample")], check=True)
    elif story == "backend":
        for delay in rest or ("50", "100", "250", "500"):
            keep(story, {delay: backend(delay)})
    elif story in ("values", "syncvasync", "customers", "products"):
        keep(story, globals()[story]())
    else:
        raise SystemExit(__doc__)


main()
