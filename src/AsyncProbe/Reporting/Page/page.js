import * as charts from './charts.js';
import * as endpoints from './endpoints.js';
import * as summary from './summary.js';
import { find, setAttribute, setHidden, setText } from './dom.js';
import { age, clock, milliseconds, place } from './words.js';

// The script lies beneath the report's own address, under whatever name or base path that was mapped.
const here = new URL(import.meta.url);
const reportAddress = here.href.replace(/\/page\.js.*$/, '') || '/';
const resetAddress = new URL('reset', here).href;
const snapshotAddress = new URL('snapshot', here).href;

// Enough to miss a few updates without a gap in the charts, and little to send.
const fewSeconds = 10;
const lostAfter = 3000;
const timeout = 10000;

let isPaused = false;
let isAsking = false;
let answeredAt = null;
let askedAt = 0;

async function ask(query) {
  const response = await fetch(reportAddress + query, {
    headers: { Accept: 'application/json' }, cache: 'no-store', signal: AbortSignal.timeout(timeout),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}

async function update() {
  isAsking = true;
  askedAt = Date.now();
  try {
    const hasGap = answeredAt === null || Date.now() - answeredAt > (fewSeconds - 2) * 1000;
    const report = await ask(hasGap ? '' : `?history=${fewSeconds}`);
    answeredAt = Date.now();
    if (!isPaused) show(report);
  } catch (error) {
    // The age that is shown grows; that says it better than the browser's message.
    console.debug('AsyncProbe: no report', error);
  } finally {
    isAsking = false;
  }
}

function show(report) {
  summary.update(report);
  setHidden(find('snapshot'), !report.probe.snapshots);
  charts.add(report.pool.history);
  endpoints.update(report);
}

function tellAge() {
  const old = answeredAt === null ? null : Date.now() - answeredAt;
  setText(find('age'), isPaused ? 'paused' : old === null ? '' : old < 2000 ? 'live' : `${age(old)} old`);
  const isLost = !isPaused && Date.now() - (answeredAt ?? loadedAt) > lostAfter;
  setHidden(find('lost'), !isLost);
  setAttribute(document.body, 'data-lost', isLost);
  if (isLost) {
    // The time does not change while it is lost, so a screen reader says it once; the age beside the buttons counts on.
    setText(find('lost'), answeredAt === null
      ? 'The server does not answer.'
      : `The server does not answer. These figures are from ${clock(answeredAt)}. A starved pool cannot answer either: look into the log, or ask the lifeline.`);
  }
}

const loadedAt = Date.now();

function tick() {
  const isDue = !isAsking && !isPaused && !document.hidden && Date.now() - askedAt >= 950;
  if (isDue) update();
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
    summary.announce(response.ok ? 'All counts start anew.' : `The reset was refused with status ${response.status}.`);
    if (!isPaused) await update();
  } catch {
    summary.announce('The reset did not reach the server.');
  }
}

async function snapshot() {
  try {
    const response = await fetch(snapshotAddress, { method: 'POST', signal: AbortSignal.timeout(timeout) });
    const { found, error } = await response.json();
    summary.announce(error ?? (found.length === 0
      ? 'No thread of a request is blocked.'
      : found.map(f => `${f.endpoint}: ${place(f)} (${f.kind}), blocked for ${milliseconds(f.blockedMs)}.`).join(' ')));
    setText(find('snapshot-answer'), find('announce').textContent);
    if (!isPaused) await update();
  } catch {
    summary.announce('The request for a snapshot did not reach the server.');
  }
}

async function copy() {
  const button = find('copy');
  try {
    await navigator.clipboard.writeText(JSON.stringify(await ask(''), null, 2));
    setText(button, 'Copied');
  } catch {
    setText(button, 'Not copied');
  }
  summary.announce(button.textContent);
  setTimeout(() => setText(button, 'Copy JSON'), 1500);
}

charts.start();
endpoints.start();
find('pause').addEventListener('click', pause);
find('copy').addEventListener('click', copy);
find('snapshot').addEventListener('click', snapshot);
find('reset').addEventListener('click', () => { find('confirm').returnValue = ''; find('confirm').showModal(); });
find('confirm').addEventListener('close', () => { if (find('confirm').returnValue === 'reset') reset(); });
document.addEventListener('visibilitychange', tick);
setInterval(tick, 250);
tick();
