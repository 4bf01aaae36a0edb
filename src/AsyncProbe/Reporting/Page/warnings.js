import { fill, find, make, setHidden, setText } from './dom.js';
import { howToFind } from './detail.js';
import { milliseconds, place, plural } from './words.js';

const shownAtFirst = 6;
let isAllShown = false;
let last = [];

export function start() {
  find('more-warnings').addEventListener('click', () => { isAllShown = !isAllShown; show(); });
}

/** Lists what to act on as sentences, worst first. */
export function update(report) {
  last = list(report);
  show();
}

function show() {
  fill(find('warnings'), isAllShown ? last : last.slice(0, shownAtFirst), w => w, ([subject, text, isSevere]) =>
    make('li', { class: isSevere ? 'severe' : '' }, make('b', {}, `${subject} `), text));
  const more = find('more-warnings');
  setHidden(more, last.length <= shownAtFirst);
  setText(more, isAllShown ? 'Show fewer' : `and ${last.length - shownAtFirst} more`);
  more.setAttribute('aria-expanded', isAllShown);
}

function list(report) {
  const all = [];
  if (report.pool.advice) all.push(['Pool', report.pool.advice, report.pool.state === 'starved']);
  if (report.probe.selfTest?.startsWith('failed')) all.push(['Probe', `The self-test of the wait hook ${report.probe.selfTest}.`, true]);
  const worst = report.endpoints
    .filter(e => ['asyncWillHelp', 'lockContention', 'providerIsSynchronous'].includes(e.verdict))
    .sort((a, b) => b.blockedMs.total - a.blockedMs.total);
  const told = new Set(worst.map(e => e.endpoint));
  for (const endpoint of worst) all.push([endpoint.endpoint, adviceOf(endpoint, report), false]);

  // Sites that no endpoint's advice mentions: work after the response, and endpoints that block too little for a verdict.
  for (const site of report.sites) {
    if (!site.allowed && site.blockedMs.mean >= 10 && isKnownWell(site) && !site.endpoints.some(e => told.has(e))) {
      all.push([place(site), `${site.kind} blocked a pool thread ${howOften(site)} in ${named(site.endpoints)}.`, false]);
    }
  }

  report.probe.staleAllowRules?.forEach(rule => all.push(['Allow rule', `The rule for ${rule} has matched no wait so far; remove it if the code is gone.`, false]));
  return all;
}

const howOften = site => site.count === 1
  ? `once, for ${milliseconds(site.blockedMs.mean)},`
  : `${plural(site.count, 'time')}, ${milliseconds(site.blockedMs.mean)} on average,`;

// If no line is known, the sentence says how to get one, unless the advice already does.
function adviceOf(endpoint, { sites, probe }) {
  const isSaid = sites.some(s => s.endpoints.includes(endpoint.endpoint)) || endpoint.explained === null || endpoint.advice.includes('AsyncProbe.StackSnapshots');
  return isSaid ? endpoint.advice : `${endpoint.advice} ${howToFind(Boolean(probe.snapshots))}`;
}

// A single stack sample isn't enough for a warning.
const isKnownWell = site => !site.sampled || site.evidence?.measured > 0 || site.hits >= 5;

const named = endpoints => endpoints.slice(0, 3).join(', ') + (endpoints.length > 3 ? ` and ${endpoints.length - 3} more` : '');
