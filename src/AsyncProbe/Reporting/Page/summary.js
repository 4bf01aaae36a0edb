import { fill, find, make, setAttribute, setHidden, setText } from './dom.js';
import { age, clock, count, isOnThisMachine, milliseconds, notAvailable, percent, place, plural } from './words.js';

const mostWarnings = 8;
let lastState = null;

const isLifelineItself = document.body.dataset.server === 'lifeline';
const lifeline = document.body.dataset.lifeline;

/** Says beforehand where to look when a starved pool keeps this page from answering. */
export function start() {
  setHidden(find('lifeline'), !lifeline && !isLifelineItself);
  setHidden(find('reset'), isLifelineItself);
  if (isLifelineItself) setText(find('lifeline'), 'This is the lifeline: a thread of its own serves it, whatever the pool does.');
  else if (lifeline) find('lifeline').append('If the pool starves and this page stops, open the lifeline: ', lifelineLink(), tunnel());
}

const lifelineLink = () => make('a', { href: lifeline, target: '_blank', rel: 'noopener' }, lifeline);

// From elsewhere it needs a way to the server.
const tunnel = () => isOnThisMachine(location.hostname) ? '' : ` (on the server itself, or here with ssh -L ${new URL(lifeline).port}:127.0.0.1:${new URL(lifeline).port})`;

/** What is to be said while the report's own address is silent; null while it answers. */
export function tellLost(lost) {
  setHidden(find('lost'), !lost);
  if (!lost) return;

  // The time does not change while it is lost, so a screen reader says it once; the age beside the buttons counts on.
  const since = lost.shownAt === null ? '' : ` The figures below are from ${clock(lost.shownAt)}.`;
  if (lost.isFollowed) {
    fill(find('lost'), [lifeline], l => l, () => make('span', {}, 'The server does not answer here: no pool thread is free. These figures are live, from the lifeline at ', lifelineLink(), '.'));
    return;
  }

  // What was true when it was last heard of is no headline.
  setText(find('state'), lost.shownAt === null ? 'The server does not answer.' : `No answer from the server since ${clock(lost.shownAt)}.`);
  document.title = 'no answer – AsyncProbe';
  const parts = lost.isLifelineItself
    ? [`Not even the lifeline answers: the process has ended, or stands still.${since}`]
    : lifeline
      ? [`A starved pool cannot answer.${since} Look into the log, or open the lifeline: `, lifelineLink(), `${tunnel()}.`]
      : [`A starved pool cannot answer, and neither can a process that has ended.${since} Look into the log. With the option LifelinePort there is an address that answers even then.`];
  fill(find('lost'), [parts[0]], p => p, () => make('span', {}, ...parts));
}

/** The part in words: state, warnings, what is held now, and what the probe itself is and lacks. */
export function update(report) {
  const { pool, process } = report;
  setText(find('process'), `${process.runtime} · ${plural(process.processorCount, 'core')} · up ${age(process.uptimeMs)}`);
  setAttribute(document.body, 'data-state', pool.state);
  document.title = pool.state === 'healthy' ? 'AsyncProbe' : `${pool.state} – AsyncProbe`;
  setText(find('state'), sentence(pool));
  setText(find('figures'), [
    `${count(pool.workers.busy)} of ${plural(pool.threads, 'thread')} busy`,
    `${count(pool.pending)} queued`,
    `minimum ${count(pool.workers.min)}, maximum ${count(pool.workers.max)}`,
    `queue delay now ${milliseconds(pool.queueDelayMs)}`,
  ].join(' · '));
  if (lastState !== null && lastState !== pool.state) announce(sentence(pool));
  lastState = pool.state;

  fill(find('warnings'), warnings(report), w => w, ([subject, text, isSevere]) =>
    make('li', { class: isSevere ? 'severe' : '' }, make('b', {}, `${subject} `), text));
  now(report.now);
  fill(find('probe'), limits(report.probe, process), l => l, text => make('li', {}, text));
}

export function announce(text) {
  setText(find('announce'), text);
}

const causes = {
  blocked: ': most busy threads are blocked and do nothing',
  deadlock: ': all threads wait for work that needs a pool thread',
  cpu: ': the cores are used up',
  gc: ': the garbage collector stops the process most of the time',
};

function sentence(pool) {
  const state = `The thread pool is ${pool.state}${causes[pool.cause] ?? ''}.`;
  return `${state} Work items wait up to ${milliseconds(Math.max(pool.queueDelayMs, pool.queueDelayMaxMs))} for a thread.`;
}

function warnings(report) {
  const list = [];
  if (report.pool.advice) list.push(['Pool', report.pool.advice, report.pool.state === 'starved']);
  if (report.probe.selfTest?.startsWith('failed')) list.push(['Probe', `The self-test of the wait hook ${report.probe.selfTest}.`, true]);
  const worst = report.endpoints
    .filter(e => ['asyncWillHelp', 'lockContention', 'providerIsSynchronous'].includes(e.verdict))
    .sort((a, b) => b.blockedMs.total - a.blockedMs.total);
  const sited = new Set();
  for (const endpoint of worst) {
    list.push([endpoint.endpoint, endpoint.advice, false]);
    report.sites.filter(s => s.endpoints.includes(endpoint.endpoint)).forEach(s => sited.add(s));
  }

  // Sites that no endpoint's advice speaks of: work after the response, and endpoints that block too little for a verdict.
  for (const site of report.sites) {
    if (!site.allowed && !sited.has(site) && site.blockedMs.mean >= 10) {
      list.push([place(site), `was seen to block ${plural(site.count, 'time')} for ${milliseconds(site.blockedMs.mean)} (${site.kind}), in ${site.endpoints.slice(0, 3).join(', ')}.`, false]);
    }
  }

  report.probe.staleAllowRules?.forEach(rule => list.push(['Allowance', `The rule for ${rule} has matched no wait so far; remove it if the code is gone.`, false]));
  return list.slice(0, mostWarnings);
}

// These threads carry no hook; what it has seen of others of the endpoint is said to be theirs.
const waitsAt = h => h.at ?? (h.looked ? 'no managed wait seen' : h.mostlyAt ? `not watched; others of this endpoint wait at ${h.mostlyAt}` : 'not known yet');

function now(held) {
  const body = find('now-table').tBodies[0];
  fill(body, held, h => h, h => make('tr', {},
    make('td', {}, h.endpoint + (h.threads > 1 ? ` (${plural(h.threads, 'thread')}, the longest:)` : '')),
    make('td', { class: 'number', 'data-label': 'Held so far' }, milliseconds(h.heldMs)),
    make('td', { class: 'number', 'data-label': 'CPU' }, milliseconds(h.cpuMs)),
    make('td', { 'data-label': 'Waits at' }, waitsAt(h))));
  setHidden(find('now-table'), held.length === 0);
  setHidden(find('no-now'), held.length > 0);
}

const detections = {
  off: 'The wait hook is off: blocked time is measured, but no call site is named.',
  whenBlocking: 'The wait hook watches requests of endpoints that were seen to block.',
  always: 'The wait hook watches requests of every endpoint, a few at a time.',
};

const snapshots = taken => taken
  ? `The hook sees managed waits. Stack snapshots name Thread.Sleep, file I/O and native waits that last: ${count(taken.taken)} taken`
    + (taken.lastAt ? `, the last at ${clock(taken.lastAt)} in ${milliseconds(taken.lastMs)}` : '') + (taken.failed ? `, ${count(taken.failed)} failed.` : '.')
  : 'The hook sees managed waits. Thread.Sleep, file I/O and native waits count as blocked but have no call site.';

function limits(probe, process) {
  const share = probe.cpuMs === null ? null : probe.cpuMs / process.uptimeMs * 100;
  return [
    share === null
      ? `The watcher's own cost is not available on this platform.`
      : `The watcher's thread has used ${milliseconds(probe.cpuMs)} of CPU, ${share.toFixed(2)} % of one core.`,
    `${detections[probe.detection] ?? probe.detection} ${plural(probe.armedEndpoints, 'endpoint')} armed; self-test: ${probe.selfTest ?? notAvailable}.`,
    snapshots(probe.snapshots),
    ...(probe.dropped.endpoints ? [`The table is full: ${plural(probe.dropped.endpoints, 'endpoint')} more share the row "(other)". Raise MaxEndpoints.`] : []),
    ...(probe.dropped.sites ? [`The table is full: ${plural(probe.dropped.sites, 'wait')} of further call sites share the row "(other)". Raise MaxSites.`] : []),
    ...probe.notAvailable.map(text => `Not available: ${text}`),
    `The process has used ${milliseconds(process.cpuMs)} of CPU (${percent(process.cpuMs / process.uptimeMs * 100)} of one core) and paused ${milliseconds(process.gcPauseMs)} for garbage collection.`,
  ];
}
