import { find, make, setAttribute, setHidden, setText } from './dom.js';
import { detail } from './detail.js';
import { count, milliseconds, notAvailable, range, verdictOf } from './words.js';

const mean = times => times?.mean ?? null;

const columns = [
  { id: 'endpoint', title: 'Endpoint', hint: 'The route, or the kind of work', of: e => e.endpoint, isText: true },
  { id: 'requests', title: 'Requests, total', of: e => e.requests, text: count },
  { id: 'inFlight', title: 'In flight now', of: e => e.inFlight, text: count },
  { id: 'failed', title: 'Failed, total', of: e => e.failed, text: count },
  { id: 'held', title: 'Held, mean', hint: 'How long a request occupied a pool thread', of: e => mean(e.heldMs), text: milliseconds },
  { id: 'blocked', title: 'Blocked, mean', hint: 'The part of held in which the thread did nothing', of: e => mean(e.blockedMs), text: milliseconds },
  { id: 'p95', title: 'Duration p95', hint: '95 % of the requests took at most this long', of: e => e.durationMs.p95, text: milliseconds },
  { id: 'now', title: 'Ceiling now', hint: 'The most requests a second, with the threads that the pool has', of: e => e.ceilingPerSecond?.now.high ?? null, text: (_, e) => perSecond(e.ceilingPerSecond?.now) },
  { id: 'ifAsync', title: 'If async', hint: 'The ceiling if every wait that blocks were awaited', of: e => e.ceilingPerSecond?.ifAsync.high ?? null, text: (_, e) => perSecond(e.ceilingPerSecond?.ifAsync) },
  { id: 'verdict', title: 'Verdict', hint: 'Whether async would help; the list above says what each verdict means', of: verdictOf, isText: true },
];

const perSecond = rates => rates ? `${range(rates)}/s` : notAvailable;

// A thousand rows would be forty screens long, and the important ones are at the top.
const shownAtFirst = 25;

const rows = new Map();
const opened = new Set();
let report = null;
let isAllShown = false;
let sort = null;

// By default, the endpoints to act on come first. Cold code also blocks. Sorting by blocked time would put a page that was opened once
// above the endpoint whose line blocks every request.
const actionable = ['asyncWillHelp', 'lockContention', 'providerIsSynchronous'];
let blockedAtLines = new Map();
const orders = [
  e => actionable.includes(e.verdict) ? 1 : 0,
  e => blockedAtLines.get(e.endpoint) ?? 0,
  e => e.blockedMs?.total ?? e.heldMs?.total ?? 0,
];

function linesOf(sites) {
  const times = new Map();
  for (const site of sites.filter(s => !s.allowed)) {
    for (const name of site.endpoints) times.set(name, (times.get(name) ?? 0) + site.blockedMs.total / site.endpoints.length);
  }
  return times;
}

export function start() {
  find('endpoint-table').tHead.rows[0].append(...columns.map(header));
  const filter = find('filter');
  filter.value = new URLSearchParams(location.search).get('endpoint') ?? '';
  filter.addEventListener('input', render);
  find('more-endpoints').addEventListener('click', () => { isAllShown = !isAllShown; render(); });
}

export function update(newReport) {
  report = newReport;
  blockedAtLines = linesOf(report.sites);
  render();
}

function header(column) {
  const cell = make('th', { scope: 'col', class: column.isText || column.id === 'held' ? '' : 'number', 'data-column': column.id },
    make('button', { type: 'button', title: column.hint, onclick: () => sortBy(column) }, column.title));
  return cell;
}

function sortBy(column) {
  const isDescending = sort?.column === column.id ? !sort.isDescending : !column.isText;
  sort = { column: column.id, isDescending };
  for (const cell of find('endpoint-table').tHead.rows[0].cells) {
    if (cell.dataset.column === column.id) cell.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
    else cell.removeAttribute('aria-sort');
  }
  render();
}

function compare(a, b) {
  if (!sort) return orders.map(order => order(b) - order(a)).find(difference => difference !== 0) ?? 0;
  const column = columns.find(c => c.id === sort.column);
  const [x, y] = [column.of(a), column.of(b)];

  // An unavailable figure comes last in either direction.
  if (x === null || y === null) return (x === null) - (y === null);
  const order = column.isText ? x.localeCompare(y) : x - y;
  return sort.isDescending ? -order : order;
}

function render() {
  if (!report) return;
  const words = find('filter').value.toLowerCase().split(/\s+/).filter(w => w);
  const found = report.endpoints
    .filter(e => words.every(w => `${e.endpoint} ${verdictOf(e)}`.toLowerCase().includes(w)))
    .sort(compare);
  const shown = isAllShown ? found : found.slice(0, shownAtFirst);
  const more = find('more-endpoints');
  setHidden(more, found.length <= shownAtFirst);
  setText(more, isAllShown ? `Show the first ${shownAtFirst}` : `Show all ${count(found.length)} endpoints`);
  const longest = Math.max(...report.endpoints.map(e => mean(e.heldMs) ?? 0), 1e-9);
  const elements = shown.flatMap(e => elementsOf(e, longest));
  const body = find('endpoint-table').tBodies[0];
  if (body.rows.length !== elements.length || elements.some((row, i) => body.rows[i] !== row)) {
    // Moving a row makes its button lose the focus.
    const focused = document.activeElement;
    body.replaceChildren(...elements);
    if (focused !== document.activeElement && body.contains(focused)) focused.focus({ preventScroll: true });
  }

  const known = new Set(report.endpoints.map(e => e.endpoint));
  [...rows.keys()].filter(name => !known.has(name)).forEach(name => rows.delete(name));
  setHidden(find('no-cpu-wait'), !report.endpoints.some(e => e.blockedMs && !e.cpuWaitMs));
  const none = find('no-endpoints');
  setHidden(none, shown.length > 0);
  setText(none, report.endpoints.length ? 'No endpoint matches the filter.' : 'No request or operation yet. Requests are counted where UseAsyncProbe is called; other work is counted as an operation.');
}

function elementsOf(endpoint, longest) {
  if (!rows.has(endpoint.endpoint)) rows.set(endpoint.endpoint, createRow(endpoint.endpoint));
  const row = rows.get(endpoint.endpoint);
  row.update(endpoint, longest);
  return opened.has(endpoint.endpoint) ? [row.main, row.detail(endpoint)] : [row.main];
}

// A long route may wrap after a slash, and inside a word only if it has to.
const breakable = route => route.split(/(?<=\/)/).flatMap(part => [part, make('wbr')]);

function createRow(name) {
  const toggle = make('button', { type: 'button', 'aria-expanded': 'false' }, ...breakable(name));
  const cells = Object.fromEntries(columns.map(c =>
    [c.id, make('td', { class: `${c.id}${c.isText || c.id === 'held' ? '' : ' number'}`, 'data-label': c.title, 'data-field': c.id })]));
  const heldText = make('span');
  const parts = ['cpu', 'cpuWait', 'gc', 'blocked'].map(id => make('i', { class: id }));
  const rest = make('i');
  const verdict = make('span');
  cells.endpoint.append(toggle);
  cells.held.append(heldText, make('div', { class: 'bar', 'aria-hidden': 'true' }, ...parts, rest));
  cells.verdict.append(verdict);
  const main = make('tr', { class: 'main', 'data-endpoint': name }, ...Object.values(cells));
  const detailCell = make('td', { colspan: columns.length });
  const detailRow = make('tr', { class: 'detail' }, detailCell);

  let shown = '';

  const flip = () => {
    opened.has(name) ? opened.delete(name) : opened.add(name);
    setAttribute(toggle, 'aria-expanded', opened.has(name));
    render();
  };

  // With a mouse, the whole row is clickable; with the keyboard, the button is. Selecting text doesn't count as a click.
  main.addEventListener('click', () => { if (!String(getSelection())) flip(); });

  return {
    main,
    detail(endpoint) {
      detail(detailCell, endpoint, report.sites.filter(s => s.endpoints.includes(name)), Boolean(report.probe.snapshots));
      return detailRow;
    },
    update(endpoint, longest) {
      // In a large app, most rows don't change from one second to the next.
      const figures = JSON.stringify([endpoint, longest]);
      if (figures === shown) return;
      shown = figures;
      for (const column of columns) {
        const value = column.of(endpoint);
        setAttribute(cells[column.id], 'data-value', value ?? '');
        if (column.text && column.id !== 'held') setText(cells[column.id], column.text(value, endpoint));
      }
      setText(heldText, milliseconds(mean(endpoint.heldMs)));
      const split = [endpoint.cpuMs, endpoint.cpuWaitMs, endpoint.gcMs, endpoint.blockedMs].map(mean);
      parts.forEach((part, i) => { part.style.flexGrow = split[i] ?? 0; });

      // Without the split, leave the bar empty: a full bar would look like work.
      rest.style.flexGrow = Math.max(0, longest - split.reduce((sum, v) => sum + (v ?? 0), 0));
      setAttribute(cells.held, 'title', `mean of a request: cpu ${milliseconds(split[0])}, cpuWait ${milliseconds(split[1])}, gc ${milliseconds(split[2])}, blocked ${milliseconds(split[3])}`);
      setText(verdict, verdictOf(endpoint));
      setAttribute(verdict, 'class', `verdict ${endpoint.verdict}`);
    },
  };
}
