"use strict";
// Compares this report with another one that the reader picks or drops. Its text is parsed, never run, and nothing is sent anywhere.
(() => {
  const SCHEMA = 1, MOST_MEGABYTES = 100;
  const NO_RUN = "holds no run: choose an .html or .json file that asyncprobe run has written.";
  const DAMAGED = "is damaged, or no report of asyncprobe.";
  const place = document.getElementById("compare");
  if (!place) return;
  const find = id => document.getElementById(id);
  const needed = Number(place.dataset.requestsNeeded);
  const says = find("compare-says");
  const make = (parent, name, text, attributes = {}) => {
    const element = document.createElement(name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  };

  class Refusal extends Error {}
  const refuse = reason => { throw new Refusal(reason); };

  function checked(run) {
    if (!figures.isObject(run) || run.kind !== "run") refuse(NO_RUN);
    if (run.schema !== SCHEMA) {
      refuse(`has another schema than this page, which reads ${SCHEMA}: write both with the same version of asyncprobe.`);
    }
    if (!figures.isObject(run.total) || figures.number(run.total.requestsPerSecond) === null) refuse("has no figures of a load.");
    return run;
  }

  const planned = run => figures.number(run.load?.plannedPerSecond);
  const titleOf = run => figures.text(run.session) + (planned(run) === null ? "" : ` at ${figures.rate(planned(run))} a second`);
  const entry = (run, title) => ({ run: checked(run), title: figures.text(title) || titleOf(run) });
  const heading = element => element.closest("section")?.querySelector("h2")?.textContent;
  const inPage = page => [...page.querySelectorAll("script.run")].map(data => entry(JSON.parse(data.textContent), heading(data)));
  // The round with the median throughput, which the page of a comparison shows too.
  const middle = rounds =>
    [...rounds].sort((x, y) => x.total?.requestsPerSecond - y.total?.requestsPerSecond)[(rounds.length - 1) >> 1];

  function inJson(json) {
    if (json?.kind === "sweep") return figures.list(json.runs).map(run => entry(run));
    if (json?.kind === "comparison") {
      return figures.list(json.sessions).map(session => entry(middle(figures.list(session.rounds)), session.name));
    }
    return [entry(json)];
  }

  function runsOf(text) {
    let runs;
    try {
      // A parsed page is a separate document, in which no script runs and nothing is fetched.
      runs = text.trimStart().startsWith("{")
        ? inJson(JSON.parse(text))
        : inPage(new DOMParser().parseFromString(text, "text/html"));
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal(DAMAGED);
    }
    return runs.length > 0 ? runs : refuse(NO_RUN);
  }

  function table(host, head, rows) {
    const all = make(make(host, "div", undefined, { class: "scroll" }), "table");
    const line = make(make(all, "thead"), "tr");
    head.forEach(cell => make(line, "th", cell, { scope: "col" }));
    const body = make(all, "tbody");
    for (const row of rows) {
      const line = make(body, "tr");
      row.forEach((cell, i) => make(line, i === 0 ? "th" : "td", cell, i === 0 ? { scope: "row" } : { "data-label": head[i] }));
    }
  }

  const byName = run => new Map(figures.endpoints(run).map(row => [figures.text(row.endpoint), row]));

  function draw(host, [a, b]) {
    host.replaceChildren();
    const head = ["", a.name, b.name, `against ${a.name}`, "difference"];
    const rows = figures.runRows(a.run, b.run);
    table(host, head, rows);
    find("compare-legend").hidden = false;
    find("compare-low").hidden = !rows.some(row => row[1].endsWith("*") || row[2].endsWith("*"));
    const [left, right] = [byName(a.run), byName(b.run)];
    if (left.size + right.size > 0) make(host, "h3", "Endpoints: the mean request on the server");
    for (const name of new Set([...left.keys(), ...right.keys()])) {
      make(host, "h4", name);
      const missing = [[a, left], [b, right]].find(([, rows]) => !rows.has(name));
      if (missing) make(host, "p", `${missing[0].name} has no figures of it.`, { class: "quiet" });
      table(host, head, figures.endpointRows(left.get(name), right.get(name), needed));
    }
  }

  function choose(host, label, runs, change) {
    if (runs.length < 2) return;
    const select = make(make(make(host, "p"), "label", `${label}: `), "select");
    runs.forEach((run, i) => make(select, "option", run.title, { value: i }));
    select.addEventListener("change", () => change(Number(select.value)));
  }

  function compare(own, other) {
    const sides = [{ ...own, chosen: 0 }, { ...other, chosen: 0 }];
    const choices = find("compare-choices");
    choices.replaceChildren();
    const show = () => {
      const pair = sides.map(side => ({ name: side.name, ...side.runs[side.chosen] }));
      says.className = "";
      says.textContent = `${pair[1].name} (${pair[1].title}) against ${pair[0].name} (${pair[0].title}), one round of each.`;
      draw(find("compare-table"), pair);
    };
    sides.forEach(side => choose(choices, `Run of ${side.name}`, side.runs, i => { side.chosen = i; show(); }));
    make(choices, "button", "Swap the two", { type: "button" }).addEventListener("click", () => { sides.reverse(); show(); });
    show();
  }

  const base = name => figures.text(name).replace(/\.[^.]*$/, "");
  function ownName() {
    try { return base(decodeURIComponent(location.pathname.split("/").pop())); } catch { return ""; }
  }

  let last = 0;
  async function take(file) {
    const turn = ++last;
    place.querySelector("details").open = true;
    try {
      if (file.size > MOST_MEGABYTES * 1e6) refuse(`is larger than ${MOST_MEGABYTES} MB, which is too much for a page.`);
      const text = await file.text().catch(() => refuse("cannot be read."));
      if (turn !== last) return;
      const other = { name: base(file.name) || "the other report", runs: runsOf(text) };
      const isNamed = ownName() !== "" && ownName() !== other.name;
      compare({ name: isNamed ? ownName() : "this report", runs: inPage(document) }, other);
    } catch (error) {
      if (turn !== last) return;
      for (const id of ["compare-choices", "compare-table"]) find(id).replaceChildren();
      for (const id of ["compare-legend", "compare-low"]) find(id).hidden = true;
      says.className = "failure";
      says.textContent = `${figures.text(file.name)} ${error instanceof Refusal ? error.message : DAMAGED}`;
    }
  }

  const input = find("other");
  input.addEventListener("change", () => { if (input.files.length > 0) take(input.files[0]); });
  const hasFile = event => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", event => { if (hasFile(event)) event.preventDefault(); });
  document.addEventListener("drop", event => {
    if (!hasFile(event)) return;
    event.preventDefault();
    if (event.dataTransfer.files.length > 0) take(event.dataTransfer.files[0]);
  });
  place.hidden = false;
})();
