// A scale stays as it is until a value no longer fits: a chart that rescales with every figure makes small and large look alike.

/** From 0 to a round number, at first the least. */
export function linear(least) {
  let top = least;
  return {
    grow(value) { if (value > top) top = roundUp(value); },
    share: value => Math.min(1, value / top),
    ticks: () => [0, top / 2, top],
  };
}

/** Each step is ten times the one before, for figures from tenths of milliseconds to minutes. Never changes. */
export function logarithmic(low, high) {
  const decades = Math.log10(high / low);
  return {
    grow() {},
    share: value => value <= low ? 0 : Math.min(1, Math.log10(value / low) / decades),

    // None at the ends: below the first line is also what is less.
    ticks: () => Array.from({ length: Math.floor(decades) - 1 }, (_, i) => low * 10 ** (i + 1)),
  };
}

function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 10].find(step => step * unit >= value) * unit;
}
