/** Adjusts the p of several rules that are judged together, in the order given. Holm (1979). */
export function holm(ps: readonly number[]): readonly number[] {
  const adjusted = new Array<number>(ps.length).fill(1);
  let largest = 0;
  for (const [rank, { p, place }] of ps
    .map((p, place) => ({ p, place }))
    .sort((a, b) => a.p - b.p)
    .entries()) {
    largest = Math.max(largest, Math.min(1, p * (ps.length - rank)));
    adjusted[place] = largest;
  }
  return adjusted;
}
