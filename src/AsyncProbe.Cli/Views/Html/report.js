"use strict";
// Draws each run's panels on one time axis, client above server, with one crosshair through all of them.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const css = name => `var(--${name})`;
  const make = (parent, name, attributes, text) => {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  };
  const show = value => value == null ? "–" : value >= 100 ? Math.round(value).toLocaleString("en") : value >= 10 ? value.toFixed(1) : value.toFixed(2);
  const nice = top => {
    const power = 10 ** Math.floor(Math.log10(top || 1));
    return [1, 2, 5, 10].map(step => step * power).find(step => step >= top) || top || 1;
  };

  // The parts of a line between the seconds without a value.
  function known(points) {
    const parts = [[]];
    for (const point of points) {
      if (point[1] == null) parts.push([]);
      else parts.at(-1).push(point);
    }
    return parts.filter(part => part.length > 0);
  }

  function panel(host, title, unit, series, axis, cursors) {
    const drawn = series.filter(one => one.points.some(point => point[1] != null));
    if (drawn.length === 0) return;
    const figure = document.createElement("figure");
    figure.className = "panel";
    const caption = document.createElement("figcaption");
    const heading = document.createElement("b");
    heading.textContent = unit ? `${title}, ${unit}` : title;
    caption.appendChild(heading);
    const values = drawn.map(one => {
      const label = document.createElement("span");
      const key = document.createElement("span");
      key.className = "key";
      key.style.background = css(one.color);
      const text = document.createElement("span");
      label.append(key, text);
      caption.appendChild(label);
      return text;
    });
    figure.appendChild(caption);
    host.appendChild(figure);

    const width = Math.max(280, host.clientWidth), height = 120, left = 46, right = 8, bottom = 18, top = 6;
    const svg = make(figure, "svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": heading.textContent });
    const most = nice(Math.max(...drawn.flatMap(one => one.points.map(point => point[1] ?? 0))));
    const x = at => left + (at / axis.end) * (width - left - right);
    const y = value => height - bottom - (value / most) * (height - bottom - top);
    if (axis.warm > 0) make(svg, "rect", { class: "warm", x: left, y: top, width: Math.max(0, x(axis.warm) - left), height: height - bottom - top });
    for (const share of [0, 0.5, 1]) {
      make(svg, "line", { class: "grid", x1: left, x2: width - right, y1: y(most * share), y2: y(most * share) });
      make(svg, "text", { x: left - 6, y: y(most * share) + 4, "text-anchor": "end" }, show(most * share).replace(/\.0+$/, ""));
    }
    const ticks = Math.max(1, Math.ceil(axis.end / Math.floor(width / 90)));
    for (let at = 0; at <= axis.end; at += ticks) make(svg, "text", { x: x(at), y: height - 4, "text-anchor": at === 0 ? "start" : "middle" }, at === 0 ? "0 s" : at);
    for (const one of drawn) {
      for (const part of known(one.points.filter(point => point[0] <= axis.end))) {
        if (part.length === 1) make(svg, "circle", { cx: x(part[0][0]), cy: y(part[0][1]), r: 3, fill: css(one.color) });
        else make(svg, "polyline", { fill: "none", stroke: css(one.color), "stroke-width": 1.8, points: part.map(point => `${x(point[0]).toFixed(1)},${y(point[1]).toFixed(1)}`).join(" ") });
      }
    }
    const cross = make(svg, "line", { class: "cross", y1: top, y2: height - bottom, x1: -9, x2: -9 });
    const point = at => {
      cross.setAttribute("x1", at == null ? -9 : x(at));
      cross.setAttribute("x2", at == null ? -9 : x(at));
      drawn.forEach((one, i) => {
        const nearest = at == null ? null : one.points.reduce((best, p) => Math.abs(p[0] - at) < Math.abs(best[0] - at) ? p : best);
        values[i].textContent = nearest ? `${one.name} ${show(nearest[1])}` : one.name;
      });
    };
    cursors.push(point);
    point(null);
    svg.addEventListener("pointermove", event => {
      const box = svg.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width * width - left) / (width - left - right) * axis.end;
      cursors.forEach(cursor => cursor(Math.min(axis.end, Math.max(0, at))));
    });
    svg.addEventListener("pointerleave", () => cursors.forEach(cursor => cursor(null)));
  }

  function shading(host, text) {
    const legend = document.createElement("p");
    legend.className = "legend";
    const label = document.createElement("span"), key = document.createElement("span");
    key.className = "key warm";
    label.append(key, `shaded: ${text}; seconds since the start`);
    legend.appendChild(label);
    host.appendChild(legend);
  }

  function distribution(host, bars) {
    if (bars.length === 0) return;
    const figure = document.createElement("figure");
    figure.className = "panel";
    const caption = document.createElement("figcaption");
    caption.innerHTML = "<b>requests by response time, ms</b><span>each bar is wider by the same factor than the one before</span>";
    figure.appendChild(caption);
    host.appendChild(figure);
    const width = Math.max(280, host.clientWidth), height = 110, left = 46, right = 8, bottom = 18;
    const svg = make(figure, "svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": "distribution of times" });
    const most = Math.max(...bars.map(bar => bar.count)), step = (width - left - right) / bars.length;
    make(svg, "line", { class: "grid", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom });
    make(svg, "text", { x: left - 6, y: 12, "text-anchor": "end" }, show(most).replace(/\.0+$/, ""));
    bars.forEach((bar, i) => {
      const tall = bar.count === 0 ? 0 : Math.max(1.5, bar.count / most * (height - bottom - 4));
      const rect = make(svg, "rect", { x: left + i * step + .5, width: Math.max(1, step - 1), y: height - bottom - tall, height: tall, fill: css("accent") });
      make(rect, "title", {}, `${show(bar.fromMs)} to ${show(bar.toMs)} ms: ${bar.count}`);
      if (i % 8 === 0) make(svg, "text", { x: left + i * step, y: height - 4 }, show(bar.fromMs));
    });
  }

  function draw() {
    document.querySelectorAll("section").forEach(section => {
      const data = section.querySelector("script.run"), host = section.querySelector(".charts");
      if (!data) return;
      host.replaceChildren();
      const run = JSON.parse(data.textContent), seconds = run.seconds, server = run.server.seconds;
      const axis = { end: Math.max(1, ...seconds.map(second => second.at)), warm: run.load.warmupSeconds };
      const client = (name, color, pick) => ({ name, color, points: seconds.map(second => [second.at, pick(second)]) });
      const pool = (name, color, pick) => ({ name, color, points: server.filter(second => second.at <= axis.end + 1).map(second => [Math.min(second.at, axis.end), pick(second)]) });
      const cursors = [];
      if (seconds.length > 1) {
        const failures = seconds.some(s => s.failed > 0) ? [client("failed", "blocked", s => s.failed)] : [];
        panel(host, "requests a second", "", [client("answered", "accent", s => s.requestsPerSecond), ...failures], axis, cursors);
        panel(host, run.load.timeMeans, "ms", [client("p50", "cpu", s => s.p50Ms), client("p95", "cpu-wait", s => s.p95Ms), client("p99", "blocked", s => s.p99Ms)], axis, cursors);
        panel(host, "server: threads", "", [pool("pool threads", "accent", s => s.threads), pool("blocked", "blocked", s => s.blockedThreads)], axis, cursors);
        panel(host, "server: queue delay", "ms", [pool("queue delay", "cpu-wait", s => s.queueDelayMs)], axis, cursors);
      }
      if (axis.warm > 0 && cursors.length > 0) shading(host, "warm-up, not measured");
      distribution(host, run.distribution);
    });
  }

  draw();
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(draw, 150); });
})();
