import { find, make, setAttribute, setText } from './dom.js';
import { clock, count, milliseconds, notAvailable, percent, rate, round } from './words.js';
import { linear, logarithmic } from './scales.js';

const width = 300;
const height = 96;

// Threads and blocked threads share a scale, so they can be compared by eye.
const threads = linear(4);

const kinds = [
  { id: 'requests', title: 'Requests per second', of: s => s.requestsPerSecond, text: rate, scale: linear(10),
    meaning: 'Requests that ended, all endpoints together.' },
  { id: 'delay', title: 'Queue delay', of: s => s.queueDelayMs, text: milliseconds, tick: round, scale: logarithmic(0.1, 100000),
    meaning: 'The longest wait of a work item for a pool thread in each second. Each grid line is ten times the one below.' },
  { id: 'threads', title: 'Pool threads', of: s => s.threads, text: count, scale: threads,
    meaning: 'A climb step by step is the runtime adding threads because the others are held.' },
  { id: 'blocked', title: 'Blocked threads', of: s => s.blockedThreads, text: count, scale: threads,
    meaning: 'Held by a request or an operation and doing nothing. Async gives these back.' },
  { id: 'queued', title: 'Queued work items', of: s => s.pending, text: count, scale: linear(10),
    meaning: 'What waits for a pool thread at the end of each second.' },
  { id: 'cpu', title: 'CPU', of: s => s.cpuPercent, text: percent, scale: linear(100),
    meaning: 'Share of all cores that this process uses. Blocked threads and little CPU mean waiting; much CPU means work.' },
];

const history = [];
let seconds = 300;
let span = 60;
const charts = kinds.map(create);

export function start() {
  find('charts').append(...charts.map(c => c.element));
  find('range').addEventListener('change', e => { seconds = Number(e.target.value); draw(); });
}

export const newest = () => history.length ? Date.parse(history.at(-1).at) : 0;

export function add(samples) {
  const known = newest();
  history.push(...samples.filter(s => Date.parse(s.at) > known));
  if (history.length > 900) history.splice(0, history.length - 900);
  draw();
}

function draw() {
  const end = newest();
  const shown = history.filter(s => Date.parse(s.at) > end - seconds * 1000);

  // Stretch a young process's history over the whole width, but show at least a minute, or the first seconds would race by.
  span = Math.max(60, Math.min(seconds, shown.length ? (end - Date.parse(shown[0].at)) / 1000 : 0));
  kinds.forEach(k => k.scale.grow(Math.max(0, ...shown.map(s => k.of(s) ?? 0))));
  charts.forEach(c => c.draw(shown, end));
}

function svg(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

function create(kind) {
  const output = make('output', {}, notAvailable);
  const area = svg('path', { class: 'area' });
  const curve = svg('path', { class: 'curve' });
  const grid = svg('path', { class: 'grid' });
  const cursor = svg('line', { class: 'cursor', y1: 0, y2: height, visibility: 'hidden' });
  const picture = svg('svg', {
    viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', tabindex: 0, role: 'slider',
    'aria-label': `${kind.title} over time; arrow keys move through the seconds`, 'aria-valuemin': 0, 'aria-valuemax': 0, 'aria-valuenow': 0,
  });
  picture.append(grid, area, curve, cursor);

  // Next to the picture rather than inside it, because the picture is stretched.
  const scale = make('div', { class: 'scale', 'aria-hidden': 'true' });
  const times = make('div', { class: 'times', 'aria-hidden': 'true' }, make('span'), make('span'), make('span'));
  const element = make('div', { class: `chart ${kind.id}` }, make('h3', {}, kind.title, output),
    make('div', { class: 'plot' }, scale, picture), times, make('p', {}, kind.meaning));

  let samples = [];
  let end = 0;
  let pointed = null;
  let ticks = '';
  const x = s => width - (end - Date.parse(s.at)) / 1000 / span * width;
  const y = value => height - kind.scale.share(value) * height;

  function drawAxes() {
    const marks = kind.scale.ticks().map(value => ({ text: (kind.tick ?? kind.text)(value), at: y(value) }));
    const drawn = JSON.stringify(marks);
    if (drawn !== ticks) {
      ticks = drawn;
      scale.replaceChildren(...marks.map(mark => {
        const label = make('span', {}, mark.text);
        label.style.top = `${mark.at / height * 100}%`;
        return label;
      }));
      setAttribute(grid, 'd', marks.map(mark => `M0 ${mark.at}H${width}`).join(''));
    }

    [span, span / 2, 0].forEach((before, i) => setText(times.children[i], end ? clock(end - before * 1000) : ''));
  }

  function show() {
    const sample = pointed === null ? samples.at(-1) : samples[pointed];
    if (!sample) return;
    const value = kind.text(kind.of(sample));
    setText(output, pointed === null ? value : `${value} at ${clock(sample.at)}`);
    setAttribute(picture, 'aria-valuemax', samples.length - 1);
    setAttribute(picture, 'aria-valuenow', pointed ?? samples.length - 1);
    setAttribute(picture, 'aria-valuetext', `${value} at ${clock(sample.at)}`);
    setAttribute(cursor, 'visibility', pointed === null ? 'hidden' : 'visible');
    setAttribute(cursor, 'x1', x(sample));
    setAttribute(cursor, 'x2', x(sample));
  }

  function point(index) {
    pointed = index === null || !samples.length ? null : Math.max(0, Math.min(samples.length - 1, index));
    show();
  }

  picture.addEventListener('pointermove', e => {
    const box = picture.getBoundingClientRect();
    const at = (e.clientX - box.left) / box.width * width;
    let best = 0;
    samples.forEach((s, i) => { if (Math.abs(x(s) - at) < Math.abs(x(samples[best]) - at)) best = i; });
    point(best);
  });
  picture.addEventListener('pointerleave', () => point(null));
  picture.addEventListener('blur', () => point(null));
  picture.addEventListener('keydown', e => {
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[e.key];
    if (step) point((pointed ?? samples.length - 1) + step);
    else if (e.key === 'Escape') point(null);
    else return;
    e.preventDefault();
  });

  return {
    element,
    draw(shown, newestAt) {
      const before = pointed === null ? null : samples[pointed]?.at;
      [samples, end] = [shown, newestAt];
      pointed = before ? Math.max(0, samples.findIndex(s => s.at === before)) : null;
      drawAxes();

      // An unavailable figure leaves a gap in the line; 0 would be wrong.
      let line = '';
      let filled = '';
      let run = [];
      const close = () => {
        if (run.length) {
          const points = run.map(s => `${x(s).toFixed(1)} ${y(kind.of(s)).toFixed(1)}`).join('L');
          line += `M${points}`;
          filled += `M${x(run[0]).toFixed(1)} ${height}L${points}L${x(run.at(-1)).toFixed(1)} ${height}Z`;
        }
        run = [];
      };
      samples.forEach((s, i) => {
        const value = kind.of(s) ?? null;
        const isGap = i > 0 && Date.parse(s.at) - Date.parse(samples[i - 1].at) > 3000;
        if (isGap || value === null) close();
        if (value !== null) run.push(s);
      });
      close();
      setAttribute(curve, 'd', line);
      setAttribute(area, 'd', filled);
      show();
    },
  };
}
