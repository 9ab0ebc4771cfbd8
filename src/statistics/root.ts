/**
 * Where `f` crosses 0 between `low` and `high`, at whose ends its signs differ; exact to `within`, or to the last bits of a
 * double.
 * Chandrupatla (1997): quadratic steps where they are safe, halving elsewhere.
 */
export function root(f: (x: number) => number, low: number, high: number, within = 0): number {
  let [a, b] = [low, high];
  let [fa, fb] = [f(a), f(b)];
  let c: number;
  let fc: number;
  let share = 0.5;
  for (let step = 0; step < 200 && fb !== 0; step += 1) {
    const x = a + share * (b - a);
    const fx = f(x);
    if (Math.sign(fx) === Math.sign(fa)) [c, fc] = [a, fa];
    else [c, fc, b, fb] = [b, fb, a, fa];
    [a, fa] = [x, fx];
    const best = Math.abs(fa) < Math.abs(fb) ? a : b;
    const least = (2 ** -52 * Math.abs(best) + 2 ** -1000 + within) / Math.abs(b - a);
    if (fa === 0 || least > 0.5) return best;
    const place = (a - b) / (c - b);
    const height = (fa - fb) / (fc - fb);
    const isSafe = height * height < place && (1 - height) * (1 - height) < 1 - place;
    const quadratic = (fa / (fb - fa)) * (fc / (fb - fc)) + ((c - a) / (b - a)) * (fa / (fc - fa)) * (fb / (fc - fb));
    share = Math.min(1 - least, Math.max(least, isSafe ? quadratic : 0.5));
  }
  return b;
}

/** The least whole number for which a test holds that holds for all above it: from `low` to `high`, at which it does. */
export function bisect(low: number, high: number, holds: (number: number) => boolean): number {
  let [least, most] = [low, high];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if (holds(middle)) most = middle;
    else least = middle + 1;
  }
  return least;
}

/** The same from `from` on, which is above 0, where it is not known how far. */
export function leastWhole(from: number, holds: (number: number) => boolean): number {
  let [low, high] = [from, from];
  while (!holds(high)) [low, high] = [high + 1, 2 * high];
  return bisect(low, high, holds);
}
