import { fill, find, make, setHidden, setText } from './dom.js';
import { clock, isOnThisMachine } from './words.js';

/** Whether the lifeline itself serves this page. */
export const isOnLifeline = document.body.dataset.server === 'lifeline';

/** The lifeline's address; empty if there is none. */
export const lifeline = document.body.dataset.lifeline;

const link = () => make('a', { href: lifeline, target: '_blank', rel: 'noopener' }, lifeline);

// The lifeline only listens on the server's loopback address, so other machines need a tunnel.
function way() {
  if (isOnThisMachine(location.hostname)) return '';
  const { port } = new URL(lifeline);
  return ` (on the server itself, or from here through ssh -L ${port}:127.0.0.1:${port})`;
}

/** Shows in advance where to look when a starved pool stops this page. */
export function start() {
  setHidden(find('lifeline'), !lifeline && !isOnLifeline);
  setHidden(find('reset'), isOnLifeline);

  // The lifeline serves the report but not the profile.
  setHidden(find('flame'), isOnLifeline);
  if (isOnLifeline) setText(find('lifeline'), 'This is the lifeline. A dedicated thread serves it, even while no pool thread is free.');
  else if (lifeline) find('lifeline').append('If the pool starves and this page stops, open the lifeline: ', link(), way());
}

/**
 * Shows that the page's own server doesn't answer.
 * @param shownAt When the figures on the page arrived; null if there are none.
 * @param isFollowed Whether the figures currently come from the lifeline.
 */
export function tell(shownAt, isFollowed) {
  // This time stays the same while the server is lost, so a screen reader says it once. The age next to the buttons keeps counting.
  const since = shownAt === null ? '' : ` The figures below are from ${clock(shownAt)}.`;
  if (isFollowed) {
    say('The server does not answer here. These figures are live, from the lifeline at ', link(), '.');
    return;
  }

  // The last known state is out of date, so it can't be the headline.
  setText(find('state'), shownAt === null ? 'The server does not answer.' : `No answer from the server since ${clock(shownAt)}.`);
  document.title = 'no answer – AsyncProbe';
  if (isOnLifeline) say(`The lifeline doesn't answer either: the process has ended or is suspended.${since}`);
  else if (lifeline) say(`A starved pool can't answer.${since} Look at the log, or open the lifeline: `, link(), `${way()}.`);
  else say(`The pool is starved, or the process has ended.${since} Look at the log. Set the option LifelinePort to get an address that answers even while the pool is starved.`);
}

function say(...parts) {
  fill(find('lost'), [parts.map(String)], p => p, () => make('span', {}, ...parts));
  setHidden(find('lost'), false);
}

export const hide = () => setHidden(find('lost'), true);
