/**
 * I_x(a, b), the regularised incomplete beta function: the probability that a Beta(a, b) variable is at most `x`.
 * `y` is 1 − x, for a caller who knows it more exactly. Continued fraction: DiDonato and Morris (1992), by Lentz's method.
 */
export function incompleteBeta(a: number, b: number, x: number, y = 1 - x): number {
  if (!(x > 0)) return 0;
  if (!(y > 0)) return 1;
  const power = betaPower(a, b, x, y);
  return x < (a + 1) / (a + b + 2) ? (power * fraction(a, b, x)) / a : 1 - (power * fraction(b, a, y)) / b;
}

/**
 * x^a · y^b / B(a, b) for x + y = 1, to about 1e-14 also where a and b are in the hundred thousands.
 * Loader (2000): Stirling's formula with its error apart, so that large logarithms never cancel.
 */
export function betaPower(a: number, b: number, x: number, y: number): number {
  const n = a + b;
  const excess = x < y ? x * n - a : b - y * n;
  const exponent = a * logRatio(excess / a, (x * n) / a) + b * logRatio(-excess / b, (y * n) / b);
  return (
    Math.sqrt((a / n) * (b / (2 * Math.PI))) *
    Math.exp(exponent + stirlingError(n) - stirlingError(a) - stirlingError(b))
  );
}

const logRatio = (excess: number, ratio: number) => (Math.abs(excess) < 0.5 ? Math.log1p(excess) : Math.log(ratio));

/** ln Γ(z) − ((z − ½) ln z − z + ½ ln 2π): Stirling's series from 10 on, and below it Γ(z + 1) = z Γ(z). */
function stirlingError(z: number): number {
  let steps = 0;
  let at = z;
  for (; at < 10; at += 1) steps += (at + 0.5) * Math.log1p(1 / at) - 1;
  const s = 1 / (at * at);
  return steps + (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - (s * 691) / 360_360))))) / at;
}

const TINY = 1e-300;
const away = (value: number) => (Math.abs(value) < TINY ? TINY : value);

function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m < 100_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    result *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    result *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return result;
}
