import type { Bench, Claim } from "./options.ts";
import { machine, table } from "./table.ts";

/** The exit code where a claim was measured and missed: not that of a program that failed. */
const MISSED = 4;

/**
 * Measures the claims of the nightly run, of all benches that have some, and returns the exit code: 0 where all are met,
 * 4 where one is missed, 1 where none is missed and one could not be measured.
 */
export async function short(benches: readonly Bench[]): Promise<number> {
  const claims: Claim[] = [];
  let failed = 0;
  for (const bench of benches) {
    try {
      claims.push(...((await bench.short?.()) ?? []));
    } catch (error) {
      // The others still say something.
      failed += 1;
      console.error(`${bench.sentence}: not measured\n`, error);
    }
  }
  console.log(machine());
  for (const line of claimTable(claims)) console.log(line);
  if (claims.some((claim) => endOf(claim) === "MISSED")) return MISSED;
  return failed > 0 || claims.length === 0 || claims.some((claim) => endOf(claim) === "unknown") ? 1 : 0;
}

/** Processor time beside that of the other, and the limit. */
export function claimTable(claims: readonly Claim[]): readonly string[] {
  const rows = claims.map((claim) => {
    const { what, ratio, most } = claim;
    return [what, ratio?.toFixed(2) ?? "–", most.toFixed(2), endOf(claim)];
  });
  return table(["CPU time, as a share of the other's", "ratio", "at most", ""], rows);
}

function endOf({ ratio, most }: Claim): "met" | "MISSED" | "unknown" {
  if (ratio === undefined || Number.isNaN(ratio)) return "unknown";
  return ratio <= most ? "met" : "MISSED";
}
