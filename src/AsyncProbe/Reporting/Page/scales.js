// A scale changes only when a value no longer fits. A chart that rescales with every figure makes small and large values look alike.

/** From 0 to a round number that starts at the given minimum and only grows. */
export function linear(least) {
  let top = least;
  return {
    grow(value) { if (value > top) top = roundUp(value); },
    share: value => Math.min(1, value / top),
    ticks: () => [0, top / 2, top],
  };
}

/** Each step is ten times the one before, which suits figures from tenths of milliseconds to minutes. This scale never changes. */
export function logarithmic(low, high) {
  const decades = Math.log10(high / low);
  return {
    grow() {},
    share: value => value <= low ? 0 : Math.min(1, Math.log10(value / low) / decades),

    // No ticks at the ends: values below the low end are also drawn at the bottom.
    ticks: () => Array.from({ length: Math.floor(decades) - 1 }, (_, i) => low * 10 ** (i + 1)),
  };
}

function roundUp(value) {
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 6, 10].find(step => step * unit >= value) * unit;
}
