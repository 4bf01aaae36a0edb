import * as charts from './charts.js';
import * as endpoints from './endpoints.js';
import * as flame from './flame.js';
import * as lost from './lost.js';
import * as now from './now.js';
import * as summary from './summary.js';
import * as warnings from './warnings.js';
import { find, setAttribute, setHidden, setText } from './dom.js';
import { age, clock, isOnThisMachine, milliseconds, place } from './words.js';

// This script is served below the report's address, whatever path or base path the app has mapped it to.
const here = new URL(import.meta.url);
const resetAddress = new URL('reset', here).href;
const snapshotAddress = new URL('snapshot', here).href;

// Enough that a few missed updates leave no gap in the charts, and still little to send.
const fewSeconds = 10;
const lostAfter = 3000;
const timeout = 10000;

// A starved pool can't answer here. The lifeline's own thread can, but only on the server's machine.
const own = source(here.href.replace(/\/page\.js.*$/, '') || '/');
const lifeline = lost.lifeline && isOnThisMachine(location.hostname) ? source(lost.lifeline) : null;
const loadedAt = Date.now();

let isPaused = false;
let shownAt = null;

function source(address) {
  return { address, isAsking: false, askedAt: 0, answeredAt: null };
}

async function ask(from, query) {
  const response = await fetch(from.address + query, {
    headers: { Accept: 'application/json' }, cache: 'no-store', signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

async function update(from) {
  from.isAsking = true;
  from.askedAt = Date.now();
  try {
    const hasGap = shownAt === null || Date.now() - shownAt > (fewSeconds - 2) * 1000;
    const report = await ask(from, hasGap ? '' : `?history=${fewSeconds}`);
    from.answeredAt = Date.now();
    if (!isPaused) show(report);
  } catch (error) {
    // The page shows how old its figures are, which says more than the browser's message.
    console.debug('AsyncProbe: no report', error);
  } finally {
    from.isAsking = false;
  }
}

function show(answer) {
  shownAt = Date.now();

  // Operations are listed with the endpoints, because they have the same figures.
  const report = { ...answer, endpoints: [...answer.endpoints, ...answer.operations ?? []] };
  summary.update(report);
  warnings.update(report);
  now.update(report);
  setHidden(find('snapshot'), !report.probe.snapshots || lost.isOnLifeline);
  charts.add(report.pool.history);
  endpoints.update(report);
  flame.update();
}

const isSilent = from => Date.now() - (from.answeredAt ?? loadedAt) > lostAfter;

function tellAge() {
  const old = shownAt === null ? null : Date.now() - shownAt;
  const isLost = !isPaused && isSilent(own);
  const isFollowed = isLost && Boolean(lifeline?.answeredAt) && !isSilent(lifeline);
  setText(find('age'), isPaused ? 'paused' : old === null ? '' : old < 2000 ? isFollowed ? 'live, lifeline' : 'live' : `${age(old)} old`);
  setAttribute(document.body, 'data-lost', isLost && !isFollowed);
  if (isLost) lost.tell(shownAt, isFollowed);
  else lost.hide();
}

function tick() {
  const isDue = from => !from.isAsking && !isPaused && !document.hidden && Date.now() - from.askedAt >= 950;
  if (isDue(own)) update(own);
  if (lifeline && isSilent(own) && isDue(lifeline)) update(lifeline);
  tellAge();
}

function pause() {
  isPaused = !isPaused;
  setAttribute(find('pause'), 'aria-pressed', isPaused);
  setText(find('pause'), isPaused ? 'Continue' : 'Pause');
  tick();
}

async function reset() {
  try {
    const response = await fetch(resetAddress, { method: 'POST', signal: AbortSignal.timeout(timeout) });
    closeSnapshot();
    summary.announce(response.ok ? 'All statistics are reset.' : `The reset was refused with status ${response.status}.`);
    if (!isPaused) await update(own);
  } catch (error) {
    summary.announce(missed('The reset', error));
  }
}

const missed = (what, error) =>
  error.name === 'TimeoutError' ? `${what} had no answer within ${timeout / 1000} s.` : `${what} did not reach the server.`;

async function snapshot() {
  const button = find('snapshot');
  button.disabled = true;
  setText(button, 'Looking…');
  const text = await takeSnapshot();
  button.disabled = false;
  setText(button, 'Snapshot');
  setText(find('snapshot-answer'), text);
  setHidden(find('snapshot-result'), false);
  summary.announce(text);
  if (!isPaused) await update(own);
}

/** Says what a snapshot found and when. The time matters, because the text stays on the page after the requests have ended. */
async function takeSnapshot() {
  try {
    let response = await askForSnapshot();

    // Try again if another snapshot is being taken, or was taken a moment ago.
    for (let again = 0; again < 3 && [409, 429].includes(response.status); again++) {
      await new Promise(resume => setTimeout(resume, 1100));
      response = await askForSnapshot();
    }

    // A login page, or a proxy's error.
    if (!response.headers.get('Content-Type')?.includes('json')) return `The server answered with status ${response.status} instead of a snapshot.`;
    const { at, found, error } = await response.json();
    if (error) return error;
    return found.length === 0
      ? `Snapshot at ${clock(at)}: no thread of a request was blocked.`
      : `Snapshot at ${clock(at)}: ${found.map(f => `${f.endpoint} was blocked at ${place(f)} (${f.kind}), for ${milliseconds(f.blockedMs)} so far.`).join(' ')}`;
  } catch (error) {
    return missed('The request for a snapshot', error);
  }
}

const askForSnapshot = () => fetch(snapshotAddress, { method: 'POST', signal: AbortSignal.timeout(timeout) });

const closeSnapshot = () => setHidden(find('snapshot-result'), true);

async function copy() {
  const button = find('copy');
  try {
    await navigator.clipboard.writeText(JSON.stringify(await ask(lifeline && isSilent(own) ? lifeline : own, ''), null, 2));
    setText(button, 'Copied');
  } catch {
    setText(button, 'Not copied');
  }
  summary.announce(button.textContent);
  setTimeout(() => setText(button, 'Copy JSON'), 1500);
}

charts.start();
endpoints.start();
flame.start();
lost.start();
warnings.start();
find('pause').addEventListener('click', pause);
find('copy').addEventListener('click', copy);
find('snapshot').addEventListener('click', snapshot);
find('snapshot-close').addEventListener('click', closeSnapshot);
find('reset').addEventListener('click', () => { find('confirm').returnValue = ''; find('confirm').showModal(); });
find('confirm').addEventListener('close', () => { if (find('confirm').returnValue === 'reset') reset(); });
document.addEventListener('visibilitychange', tick);
setInterval(tick, 250);
tick();
