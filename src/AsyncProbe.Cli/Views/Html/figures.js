"use strict";
// The figures of a comparison, with the same words and rounding as the command: Comparison/, FigureText.cs and RatioText.cs.
// A file can come from anyone, so nothing in it is trusted: a value that isn't a number is not available, and text stays text.
const figures = (() => {
  const isObject = value => typeof value === "object" && value !== null && !Array.isArray(value);
  const list = value => Array.isArray(value) ? value.filter(isObject) : [];
  const number = value => typeof value === "number" && Number.isFinite(value) ? value : null;
  const text = value => typeof value !== "string" ? "" : value.slice(0, 2000).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "\uFFFD");

  const formats = new Map();
  // Rounds like .NET: "0.00" at 15 significant digits with halves up, so 1.005 is 1.01; "N0" with halves to even, so 228.5 is 228.
  const fixed = (value, digits) => {
    if (!formats.has(digits)) {
      const rounding = digits === 0 ? { useGrouping: true, roundingMode: "halfEven" } : { useGrouping: false };
      formats.set(digits, new Intl.NumberFormat("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits, ...rounding }));
    }
    return formats.get(digits).format(digits === 0 ? value : value.toPrecision(15));
  };
  const ms = value => fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0);
  const rate = value => fixed(value, value < 100 ? 1 : 0);
  const show = (value, unit) => value === null ? "n/a" : unit === "ms" ? ms(value) : unit === "/s" ? rate(value) : fixed(value, 0);

  const ratio = (from, to, more, less) => {
    if (from === null || from === 0 || to === null) return "";
    if (to === 0) return "none left";
    const times = to / from, factor = times >= 1 ? times : 1 / times, word = times >= 1 ? more : less;
    const shown = fixed(factor, factor < 2 ? 2 : factor < 100 ? 1 : 0);
    return shown === "1.00" ? "about the same" : factor > 1000 ? `more than 1,000 × ${word}` : `${shown} × ${word}`;
  };
  const difference = (from, to, unit) => {
    if (from === null || to === null) return "";
    if (from === to) return "0";
    const sign = to > from ? "+" : "−", size = Math.abs(to - from), percent = size / Math.abs(from) * 100;
    return sign + show(size, unit) + (from === 0 ? "" : `, ${sign}${fixed(percent, percent < 100 ? 1 : 0)} %`);
  };

  const sum = (rows, pick) => rows.reduce((sum, row) => sum + (number(pick(row)) ?? 0), 0);
  const endpoints = run => list(run.server?.endpoints);
  const perRequest = time => run => {
    const rows = endpoints(run).filter(row => number(row[time]?.total) !== null);
    const total = sum(rows, row => row[time].total), requests = sum(rows, row => row.requests);
    return requests === 0 ? null : total / requests;
  };
  const timed = (name, field, percent) => ({
    name, unit: "ms", more: "slower", less: "faster", percent, pick: run => number(run.total.timeMs?.[field]),
  });
  const columns = [
    { name: "requests a second", unit: "/s", less: "fewer", pick: run => number(run.total.requestsPerSecond) },
    timed("mean time", "meanMs"), timed("p50", "p50Ms", "p50"), timed("p95", "p95Ms", "p95"), timed("p99", "p99Ms", "p99"),
    { name: "failed", unit: "", less: "fewer", pick: run => number(run.total.failed) },
    { name: "held a request", unit: "ms", pick: perRequest("heldMs") },
    { name: "blocked a request", unit: "ms", pick: perRequest("blockedMs") },
    { name: "cpu a request", unit: "ms", pick: perRequest("cpuMs") },
    { name: "max pool threads", unit: "", less: "fewer", pick: run => number(run.server?.poolThreadsMax) },
    { name: "max queue delay", unit: "ms", more: "longer", less: "shorter", pick: run => number(run.server?.queueDelayMaxMs) },
  ];
  const cached = run => endpoints(run).some(row => row.fromCache > 0);
  const reached = {
    name: "reached the method", unit: "", less: "fewer",
    pick: run => endpoints(run).length === 0 ? null : sum(endpoints(run), row => row.requests) - sum(endpoints(run), row => row.fromCache),
  };

  const row = (column, from, to, marks = ["", ""]) => [
    column.unit === "ms" ? `${column.name}, ms` : column.name, show(from, column.unit) + marks[0], show(to, column.unit) + marks[1],
    ratio(from, to, column.more ?? "more", column.less ?? "less"), difference(from, to, column.unit),
  ];
  const isLow = (run, percent) => {
    const low = run.total.timeMs?.lowSamplePercentiles;
    return percent !== undefined && Array.isArray(low) && low.includes(percent);
  };
  const runRows = (a, b) => [...columns, ...(cached(a) || cached(b) ? [reached] : [])]
    .filter(column => column.pick(a) !== null || column.pick(b) !== null)
    .map(column => row(column, column.pick(a), column.pick(b), [a, b].map(run => isLow(run, column.percent) ? "*" : "")));

  const verdict = (one, needed) => {
    if (one === undefined) return "n/a";
    const name = text(one.verdict);
    if (name === "notEnoughData" && number(one.blockedMs?.mean) === null) return "n/a";
    if (name === "notEnoughData" && one.requests < needed) return `collecting: ${number(one.requests)} of ${needed}`;
    const words = { cpuBound: "CPU bound", notEnoughData: "no verdict" };
    if (Object.hasOwn(words, name)) return words[name];
    return name.slice(0, 60).replace(/[A-Z]/g, letter => " " + letter.toLowerCase()).trim() || "n/a";
  };
  const where = one => {
    const part = one?.lookedAt === true && number(one.worstSiteMs) !== null ? `${ms(one.worstSiteMs)} ms a request` : "in part";
    const notes = { fully: "", sampled: " (sampled)", earlier: " (known from before this run)", partly: ` (${part})` };
    const note = typeof one?.worstSiteIs === "string" && Object.hasOwn(notes, one.worstSiteIs) ? notes[one.worstSiteIs] : null;
    return note === null ? "" : `${text(one.worstSite)} [${text(one.worstSiteKind)}]${note}`;
  };
  const mean = time => one => number(one?.[time]?.mean);
  const endpointRows = (a, b, needed) => [
    row({ name: "requests", unit: "", less: "fewer" }, number(a?.requests), number(b?.requests)),
    ...["held", "cpu", "blocked"].map(name => row({ name, unit: "ms" }, mean(`${name}Ms`)(a), mean(`${name}Ms`)(b))),
    ["verdict", verdict(a, needed), verdict(b, needed), "", verdict(a, needed) === verdict(b, needed) ? "" : "changed"],
    ...(where(a) || where(b) ? [["blocked at", where(a), where(b), "", where(a) === where(b) ? "" : "changed"]] : []),
  ];

  return { isObject, list, number, text, rate, endpoints, runRows, endpointRows };
})();
