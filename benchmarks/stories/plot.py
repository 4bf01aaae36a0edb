#!/usr/bin/env python3
"""Draws docs/stories-*.svg from results.json, and puts the tables between the marks in docs/stories.md. Needs nothing but Python."""
import html
import json
import math
import pathlib
import re

HERE = pathlib.Path(__file__).parent
DOCS = HERE.parent.parent / "docs"
SYNC, ASYNC, OTHER = "#c2410c", "#1d6fb8", "#3f8f4f"
LINES = ["#1d6fb8", "#3f8f4f", "#b7791f", "#c2410c"]


def svg(name, width, height, title, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="system-ui, sans-serif" font-size="13" role="img"><title>{html.escape(title)}</title>'
            f'<rect width="{width}" height="{height}" fill="#fff"/><text x="16" y="26" font-size="15" font-weight="600" fill="#222">{html.escape(title)}</text>')
    (DOCS / name).write_text(head + "".join(parts) + "</svg>\n")


def text(x, y, words, anchor="start", colour="#333"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{html.escape(words)}</text>'


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


def bars(name, title, unit, rows, logarithmic=False):
    """Rows of label, value, colour."""
    left, width, step = 210, 720, 34
    space = width - left - 140
    most = max(value for _, value, _ in rows)

    def length(value):
        return space * (math.log10(1 + value) / math.log10(1 + most) if logarithmic else value / most)

    parts = []
    for i, (label, value, colour) in enumerate(rows):
        y = 46 + i * step
        parts.append(text(left - 10, y + 16, label, "end"))
        parts.append(f'<rect x="{left}" y="{y}" width="{max(1.0, length(value)):.1f}" height="22" rx="2" fill="{colour}"/>')
        parts.append(text(left + length(value) + 8, y + 16, f"{number(value)} {unit}"))
    foot = 46 + len(rows) * step + 12
    if logarithmic:
        parts.append(text(left, foot, "logarithmic scale", colour="#777"))
    svg(name, width, foot + 14, title, parts)


def lines(name, title, xs, ylabel, series, logarithmic=False):
    """Series of label, values, colour over the same xs."""
    left, top, right, bottom, width, height = 70, 50, 150, 44, 720, 360
    values = [value for _, ys, _ in series for value in ys]
    high, low = max(values) * 1.1, min(values) * 0.9

    def x(i):
        return left + (width - left - right) * i / (len(xs) - 1)

    def y(value):
        share = (math.log(value / low) / math.log(high / low)) if logarithmic else value / high
        return height - bottom - (height - top - bottom) * share

    ticks = [10 ** e * m for e in range(-1, 6) for m in (1, 2, 5)] if logarithmic else [high * i / 5 for i in range(6)]
    parts = [text(16, 46, ylabel, colour="#777")]
    for tick in ticks:
        if tick <= high and (not logarithmic or tick >= low):
            parts.append(f'<line x1="{left}" x2="{width - right}" y1="{y(tick):.1f}" y2="{y(tick):.1f}" stroke="#ddd"/>')
            parts.append(text(left - 8, y(tick) + 4, number(tick), "end", "#777"))
    for i, label in enumerate(xs):
        parts.append(text(x(i), height - 18, label, "middle", "#777"))
    taken = []
    for label, ys, colour in series:
        points = " ".join(f"{x(i):.1f},{y(value):.1f}" for i, value in enumerate(ys))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(i):.1f}" cy="{y(value):.1f}" r="3" fill="{colour}"/>' for i, value in enumerate(ys)]
        # Labels at the lines' ends, apart from each other.
        at = y(ys[-1]) + 4
        while any(abs(at - other) < 15 for other in taken):
            at += 3
        taken.append(at)
        parts.append(text(width - right + 10, at, label, colour=colour))
    svg(name, width, height, title, parts)


def table(head, rows):
    return "\n".join([f"| {' | '.join(head)} |", "|" + "---|" * len(head), *(f"| {' | '.join(row)} |" for row in rows)])


def values(r):
    names = (("sleep", "Thread.Sleep", SYNC), ("delay", "await Task.Delay", ASYNC), ("cached", "cached", OTHER))
    bars("stories-values.svg", "One second of waiting, 16 threads, 64 clients", "requests/s", [(label, r[n]["perSecond"], c) for n, label, c in names], True)
    return table(["route", "requests/s", "mean ms", "p99 ms"],
                 [[f"`/values/{n}`", number(r[n]["perSecond"]), number(r[n]["meanMs"]), number(r[n]["p99Ms"])] for n, _, _ in names])


def syncvasync(r):
    bars("stories-syncvasync.svg", "Two seconds in the database, 8 threads, 16 clients", "requests/s",
         [(n, r[n]["perSecond"], c) for n, c in (("sync", SYNC), ("async", ASYNC))])
    return table(["route", "requests/s", "mean ms", "fewest workers left"],
                 [[f"`/api/syncvasync/{n}`", number(r[n]["perSecond"]), number(r[n]["meanMs"]), str(r[n]["leastWorkersLeft"])] for n in ("sync", "async")])


def customers(r):
    names = (("SyncGet200MsDelay", SYNC), ("AsyncGet200MsDelay", ASYNC), ("SyncGetCpuBound", SYNC), ("AsyncGetCpuBound", ASYNC))
    bars("stories-customers.svg", "Customers: mean response time", "ms", [(n, r[n]["meanMs"], c) for n, c in names])
    return table(["route", "clients", "requests/s", "mean ms", "p99 ms"],
                 [[f"`/Customers/{n}`", str(r[n]["clients"]), number(r[n]["perSecond"]), number(r[n]["meanMs"]), number(r[n]["p99Ms"])] for n, _ in names])


def products(r):
    keys = (("p50", "p50Ms"), ("p90", "p90Ms"), ("p95", "p95Ms"), ("p99", "p99Ms"))
    lines("stories-products.svg", "Products at 100 requests/s: response time", [k for k, _ in keys], "ms",
          [(label, [r[n][k] for _, k in keys], c) for n, label, c in (("SyncProduct", "synchronous", SYNC), ("Product", "awaited", ASYNC))], True)
    return table(["route", "requests/s", *(k + " ms" for k, _ in keys)],
                 [[f"`/{n}`", number(r[n]["perSecond"]), *(number(r[n][k]) for _, k in keys)] for n in ("SyncProduct", "Product")])


def backend(r):
    delays = sorted(r, key=int)
    clients = sorted(next(iter(r.values())), key=int)

    def ratio(delay, count):
        return r[delay][count]["async"]["perSecond"] / r[delay][count]["sync"]["perSecond"]

    lines("stories-backend.svg", "Another service: throughput awaited ÷ synchronous", [f"{c} clients" for c in clients], "times",
          [(f"{d} ms", [ratio(d, c) for c in clients], LINES[i % 4]) for i, d in enumerate(delays)], True)
    return table(["delay", *(f"{c} clients" for c in clients)],
                 [[f"{d} ms", *(f"{ratio(d, c):.1f}× ({number(r[d][c]['sync']['perSecond'])} → {number(r[d][c]['async']['perSecond'])})" for c in clients)] for d in delays])


def main():
    results = json.loads((HERE / "results.json").read_text())
    page = (DOCS / "stories.md").read_text()
    for story in (values, syncvasync, customers, products, backend):
        if story.__name__ in results:
            mark = story.__name__
            page = re.sub(rf"(<!-- {mark} -->\n).*?(<!-- end -->)", lambda m: m[1] + story(results[mark]) + "\n" + m[2], page, flags=re.S)
    (DOCS / "stories.md").write_text(page)


main()
