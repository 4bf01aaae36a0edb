import { fill, find, make, setHidden } from './dom.js';
import { count, milliseconds, place } from './words.js';

const few = 3;

/** Shows the threads held right now: one row for each endpoint and place, and one for other work that starves the pool. */
export function update({ now, pool }) {
  const held = [...unclaimed(pool), ...merge(now)];
  fill(find('now-table').tBodies[0], held, h => h, h => make('tr', {},
    make('td', {}, h.endpoint),
    make('td', { class: 'number', 'data-label': 'Threads' }, count(h.threads)),
    make('td', { class: 'number', 'data-label': 'Held so far, longest' }, milliseconds(h.heldMs)),
    make('td', { class: 'number', 'data-label': 'CPU of that one' }, milliseconds(h.cpuMs)),
    make('td', { 'data-label': 'Waits at' }, h.place ?? waitsAt(h))));
  setHidden(find('now-table'), held.length === 0);
  setHidden(find('no-now'), held.length > 0);
}

// The server's own work between requests also counts as other work. So the row only appears while the pool isn't healthy, other work takes
// more than half of the busy threads, and the row has something to say: a known line, or at least a few threads.
function unclaimed({ state, workers, unclaimed: { busy, sites } }) {
  if (state === 'healthy' || busy * 2 <= workers.busy || (sites.length === 0 && busy < few)) return [];
  const places = sites.map(s => `${s.kind} at ${place(s)} (seen for ${count(s.threads)} of them)`).join('; ')
    || 'line unknown; a stack snapshot (AsyncProbe.StackSnapshots) can find it';
  return [{ endpoint: 'neither a request nor an operation', threads: busy, heldMs: null, cpuMs: null, place: places }];
}

// Only a few requests are watched at a time. Assume that an endpoint's other requests wait at the same place, and show them in one row.
function merge(held) {
  const rows = new Map();
  for (const h of held) {
    const at = h.at ?? h.mostlyAt;
    const key = JSON.stringify([h.endpoint, at]);
    const row = rows.get(key);
    const seen = h.at ? h.threads : 0;
    const looked = h.looked ? h.threads : 0;
    if (!row) rows.set(key, { ...h, at, seen, watched: looked });
    else {
      row.threads += h.threads;
      row.seen += seen;
      row.watched += looked;
      if (h.heldMs > row.heldMs) [row.heldMs, row.cpuMs] = [h.heldMs, h.cpuMs];
    }
  }

  return [...rows.values()].sort((a, b) => b.heldMs - a.heldMs);
}

function waitsAt(h) {
  if (!h.at) return h.watched ? 'location unknown (Thread.Sleep, file I/O or native code)' : 'not looked yet';
  if (h.seen === h.threads) return h.at;
  return h.seen ? `${h.at} (seen for ${count(h.seen)} of them)` : `${h.at} (where other requests of this endpoint wait)`;
}
