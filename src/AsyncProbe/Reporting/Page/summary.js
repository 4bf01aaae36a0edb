import { fill, find, make, setAttribute, setHidden, setText } from './dom.js';
import { isOnLifeline } from './lost.js';
import { age, clock, count, milliseconds, notAvailable, percent, plural, rate } from './words.js';

let lastState = null;

/** Shows which process this is, the pool's state, what to do now, and what the probe costs and can't see. */
export function update(report) {
  const { pool, process } = report;
  setText(find('process'), [process.name, process.version].filter(p => p).join(' '));
  setText(find('machine'),
    `on ${process.host} · process ${process.id} · ${process.runtime} · ${plural(process.processorCount, 'core')} · up ${process.uptimeMs === null ? 'for an unknown time' : age(process.uptimeMs)} · AsyncProbe ${report.probe.version}`);
  setAttribute(document.body, 'data-state', pool.state ?? 'notAvailable');
  document.title = `${pool.state === null || pool.state === 'healthy' ? '' : `${pool.state} – `}${process.name} on ${process.host} – AsyncProbe`;
  setText(find('state'), sentence(pool));
  const second = pool.state === null ? null : pool.history.at(-1);
  setText(find('figures'), [
    ...(second?.requestsPerSecond === undefined ? [] : [`${rate(second.requestsPerSecond)} requests/s`]),
    `${count(pool.workers.busy)} of ${plural(pool.threads, 'pool thread')} busy`,
    `min ${count(pool.workers.min)}, max ${count(pool.workers.max)}`,
    `${plural(pool.pending, 'work item')} queued`,
    `queue delay now ${milliseconds(pool.queueDelayMs)}`,
  ].join(' · '));
  if (lastState !== null && lastState !== pool.state) announce(sentence(pool));
  lastState = pool.state;
  doNow(pool.doNow);
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
  if (pool.state === null) return 'The state of the thread pool is not available, because nothing watches it.';
  const state = `The thread pool is ${pool.state}${causes[pool.cause] ?? ''}.`;
  // For a second after the pool has recovered, the longest delay would contradict the first sentence.
  if (pool.state === 'healthy') return `${state} A work item now waits ${milliseconds(pool.queueDelayMs)} for a thread.`;
  // The present delay can be longer than the longest of the last full second.
  return `${state} In the last second, work items waited up to ${milliseconds(Math.max(pool.queueDelayMs, pool.queueDelayMaxMs))} for a thread.`;
}

// Shows the setting that helps right away, until the code is fixed.
function doNow(action) {
  setHidden(find('do-now'), !action);
  if (!action) return;
  setText(find('do-now-environment'), action.environment);
  setText(find('do-now-code'), action.code);
  setText(find('do-now-why'), `${action.why} The value of the variable is hexadecimal: ${action.environment.split('=')[1]} is ${count(action.threads)}.`);
}

const detections = {
  off: 'The wait hook is off: blocked time is measured, but its lines are not found.',
  whenBlocking: 'The wait hook watches requests of endpoints that were seen to block.',
  always: 'The wait hook watches requests of every endpoint, a few at a time.',
};

const snapshots = taken => taken
  ? `Stack snapshots name what the hook can't see (Thread.Sleep, file I/O, native code): ${count(taken.taken)} taken`
    + (taken.lastAt ? `, the last at ${clock(taken.lastAt)} in ${milliseconds(taken.lastMs)}` : '') + (taken.failed ? `, ${count(taken.failed)} failed.` : '.')
    + (taken.windowsPaused ? ' Sampling of short waits pauses, because it has used what it may cost in ten minutes.' : '')
  : 'Thread.Sleep, file I/O and native code count as blocked but have no call site. Add the package AsyncProbe.StackSnapshots to find them.';

function limits(probe, process) {
  const share = probe.cpuMs === null || process.uptimeMs === null ? null : probe.cpuMs / process.uptimeMs * 100;
  return [
    share === null
      ? `The watcher's own cost is not available on this platform.`
      : `The watcher's thread has used ${milliseconds(probe.cpuMs)} of CPU since the start, ${share.toFixed(2)}\u00a0% of one core.`,
    `${detections[probe.detection] ?? probe.detection} ${plural(probe.armedEndpoints, 'endpoint')} watched now; self-test: ${probe.selfTest ?? notAvailable}.`,
    snapshots(probe.snapshots),
    ...(probe.lifeline || isOnLifeline ? [] : ['There is no lifeline. Set the option LifelinePort to open this page even while no pool thread is free.']),
    ...(probe.dropped.endpoints ? [`The table is full: its row "(other)" includes ${plural(probe.dropped.endpoints, 'more endpoint')}. Raise MaxEndpoints.`] : []),
    ...(probe.dropped.sites ? [`The table is full: its row "(other)" includes ${plural(probe.dropped.sites, 'wait')} at other call sites. Raise MaxSites.`] : []),
    ...probe.notAvailable.map(text => `Not available: ${text}`),
    `The process has used ${milliseconds(process.cpuMs)} of CPU since its start${process.uptimeMs === null ? '' : ` (${percent(process.cpuMs / process.uptimeMs * 100)} of one core)`} and was paused ${milliseconds(process.gcPauseMs)} in total for garbage collection.`,
  ];
}
