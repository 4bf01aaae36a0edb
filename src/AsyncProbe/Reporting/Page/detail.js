import { fill, make, setAttribute, setHidden, setText } from './dom.js';
import { count, milliseconds, notAvailable, percent, place, plural } from './words.js';

// Like this script, the help is served below the report's address.
const help = section => new URL(`help#${section}`, import.meta.url).href;

const times = t => t ? `mean ${milliseconds(t.mean)}, max ${milliseconds(t.max)}, total ${milliseconds(t.total)}` : notAvailable;

const facts = e => [
  ['held', times(e.heldMs)],
  ['cpu', times(e.cpuMs)],
  ['cpuWait (ready, but no core)', times(e.cpuWaitMs)],
  ['gc pause', times(e.gcMs)],
  ['blocked', times(e.blockedMs)],
  ...(e.blockedInGcMs?.total > 0 ? [['blocked while a gc paused the process', times(e.blockedInGcMs)]] : []),
  ...(e.allowedMs?.total > 0 ? [['blocked where it is allowed', times(e.allowedMs)]] : []),
  ['held after the response', times(e.afterResponseMs)],
  ['duration p50, p99, max', `${milliseconds(e.durationMs.p50)}, ${milliseconds(e.durationMs.p99)}, ${milliseconds(e.durationMs.max)}`],
  ['segments per request, mean', e.segmentsPerRequest === null ? notAvailable : e.segmentsPerRequest.toFixed(1)],
  ['from cache; aborted by the client', `${count(e.fromCache)}; ${count(e.aborted)}`],
  ['blocked time that call sites explain', e.explained === null ? notAvailable : percent(e.explained * 100)],
  ['pool threads that the ceilings count on', e.ceilingPerSecond ? count(e.ceilingPerSecond.threads) : notAvailable],
];

/** Fills the details under an endpoint: the advice, its figures and the call sites that block it. */
export function detail(cell, endpoint, sites, hasSnapshots) {
  if (!cell.firstChild) {
    cell.append(
      make('p', { class: 'advice' }, make('span'), ' ', make('a', { target: '_blank', rel: 'noopener' }, 'What to do about it')), make('dl'), make('h3', {}, 'Call sites'), make('div'));
  }

  const [advice, list, , places] = cell.children;
  const [sentence, link] = advice.children;
  setText(sentence, endpoint.advice);
  setHidden(link, !endpoint.help);
  if (endpoint.help) setAttribute(link, 'href', help(endpoint.help));
  fill(list, facts(endpoint), f => f, ([name, value]) => make('div', {}, make('dt', {}, name), make('dd', {}, value)));
  if (sites.length === 0) {
    fill(places, [unseen(endpoint, hasSnapshots)], text => text, text => make('p', { class: 'quiet' }, text));
    return;
  }

  // The figures change every second, and must not close a stack that a reader has opened.
  fill(places, sites, s => [s.kind, s.help, place(s), s.allowed, s.source, s.stack, s.endpoints?.length > 1], site);
  sites.forEach((s, i) => setText(places.children[i].querySelector('.figures'), figures(s)));
}

function unseen(endpoint, hasSnapshots) {
  if (!(endpoint.blockedMs?.total > 0)) return 'None: nothing has blocked a thread here.';
  if (endpoint.explained === null) return 'Not known yet: no request that blocked has been watched so far. Send a few more.';
  return `Location unknown: Thread.Sleep, file I/O or native code. ${howToFind(hasSnapshots)}`;
}

/** How to find the line of a wait that the hook can't see. */
export const howToFind = hasSnapshots => hasSnapshots
  ? 'A stack snapshot finds the line: send more requests, or press Snapshot while one of them waits.'
  : 'The package AsyncProbe.StackSnapshots finds such lines.';

const figures = s => `${s.via && s.via !== s.kind ? ` through ${s.via}` : ''}: blocked ${plural(s.count, 'time')}: ${times(s.blockedMs)}`
  + (s.partial && !s.sampled ? ' (of the requests that were watched)' : '')
  + (s.sampled ? ' (as stack snapshots saw it)' : '')
  + (s.hits ? `, ${plural(s.hits, 'hit')}` : '')
  + (s.awaitable && !s.allowed ? `. Instead: ${s.awaitable === 'await' ? 'await it' : `await ${s.awaitable}`}` : '')
  + (s.allowed ? `. Allowed: ${s.allowed}` : '');

function site(s) {
  const element = make('div', { class: s.allowed ? 'site allowed' : 'site' },
    make('p', {}, make('code', {}, place(s))),
    make('p', { class: 'quiet' },
      s.help ? make('a', { href: help(s.help), target: '_blank', rel: 'noopener' }, s.kind) : s.kind, make('span', { class: 'figures' })));
  if (s.source) element.append(make('p', {}, make('code', { class: 'source' }, s.source)));
  if (s.stack?.length) element.append(make('details', {}, make('summary', {}, s.endpoints?.length > 1 ? 'stack of the first wait, perhaps another endpoint’s' : 'stack'), make('pre', {}, s.stack.join('\n'))));
  return element;
}
