// Formats figures as a person would write them. A figure that isn't available is shown as "n/a", never as 0.

export const notAvailable = 'n/a';

// Non-breaking, so a figure and its unit stay on one line.
const gap = '\u00a0';

export function milliseconds(value) {
  if (value === null || value === undefined) return notAvailable;
  if (value >= 60000) return `${(value / 60000).toFixed(1)}${gap}min`;
  if (value >= 1000) return `${(value / 1000).toFixed(1)}${gap}s`;
  if (value >= 100) return `${Math.round(value)}${gap}ms`;
  if (value >= 10) return `${value.toFixed(0)}${gap}ms`;
  if (value >= 1) return `${value.toFixed(1)}${gap}ms`;
  if (value === 0) return `0${gap}ms`;
  return value < 0.01 ? `<${gap}0.01${gap}ms` : `${value.toFixed(2)}${gap}ms`;
}

/** Formats a round number of milliseconds for a scale's tick. */
export const round = value => value >= 1000 ? `${value / 1000}${gap}s` : `${value}${gap}ms`;

// Created once, because a thousand rows format several thousand numbers a second.
const grouped = new Intl.NumberFormat('en-US');

export const count = value => value === null || value === undefined ? notAvailable : grouped.format(value);

export const percent = value => value === null || value === undefined ? notAvailable : `${Math.round(value)}${gap}%`;

export const plural = (value, noun) => `${count(value)} ${noun}${value === 1 ? '' : 's'}`;

export function rate(value) {
  if (value === null || value === undefined) return notAvailable;
  if (value === 0) return '0';
  if (value >= 100) {
    const scale = 10 ** (Math.floor(Math.log10(value)) - 1);
    return count(Math.round(value / scale) * scale);
  }
  return value >= 10 ? value.toFixed(0) : value.toFixed(1);
}

// Formats a predicted range, or "up to" if only the upper end is known.
export function range(rates) {
  if (!rates || rates.high === null) return notAvailable;
  if (rates.low === null) return `up to ${rate(rates.high)}`;
  const [low, high] = [rate(rates.low), rate(rates.high)];
  return low === high ? low : `${low}–${high}`;
}

const verdicts = {
  asyncWillHelp: 'async will help',
  cpuBound: 'CPU bound',
  lockContention: 'lock contention',
  providerIsSynchronous: 'provider is synchronous',
  alreadyAsync: 'already async',
  fine: 'fine',
  notEnoughData: 'no verdict',
};

/** The verdict in words, or how many of the requests it needs have been collected. */
export const verdictOf = e => e.collecting ? `collecting: ${e.collecting.requests} of ${e.collecting.needed}` : verdicts[e.verdict] ?? e.verdict;

export const place = site => site.file ? `${site.at} (${site.file.split(/[\\/]/).pop()}:${site.line})` : site.at;

export const clock = at => new Date(at).toLocaleTimeString();

export function age(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  return seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

export const isOnThisMachine = host => ['localhost', '127.0.0.1', '[::1]'].includes(host);
