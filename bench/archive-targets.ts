import { NAMES } from "./archive-cases.ts";
import { ratioTo, type Result } from "./rounds.ts";
import { megabytes, targetLine } from "./table.ts";

type Shares = readonly (readonly [name: string, share: number])[];

const LARGE: Shares = [
  [NAMES.gzip, 0.5],
  [NAMES.npm, 0.5],
  [NAMES.pigz, 1],
  [NAMES.python, 0.2],
  [NAMES.floor, 1.2],
];
/** How long ours may take, at its best, as a share of another's best, by the tree. */
const SHARES: ReadonlyMap<string, Shares> = new Map<string, Shares>([
  ["small-files", LARGE],
  ["mixed", LARGE],
  ["tiny", [[NAMES.gzip, 1]]],
  ["short", [[NAMES.gzip, 0.67]]],
]);
// The rest are a few requests to a service.
const DRY_RUN_SHARE = 1.3;
const SIZE_SHARE = 0.02;
// A process that runs already; the others start in that time.
const WARM_SHARE = 0.5;
const PEAK_BYTES = 200e6;

/** One line for each target that holds for a tree, and for which there are figures. */
export function archiveTargets(tree: string, results: readonly Result[]): readonly string[] {
  const find = (wanted: string) => results.find(({ name }) => name === wanted);
  const ours = find(NAMES.ours);
  if (ours === undefined) return [];
  const lines: string[] = [];
  const shares = SHARES.get(tree) ?? [];
  for (const [name, share] of shares) {
    const other = find(name);
    if (other === undefined) lines.push(`absent  ${name}`);
    else lines.push(shareLine(ratioTo(other, ours), name, share));
  }
  if (shares.length > 0) lines.push(...sizeLines(ours, find(NAMES.gzip)));
  const [dryRun, hash] = [find(NAMES.dryRun), find(NAMES.hash)];
  if (dryRun !== undefined && hash !== undefined) lines.push(dryRunLine(ratioTo(hash, dryRun)));
  const [warm, gzip] = [find(NAMES.warm), find(NAMES.gzip)];
  if (warm !== undefined && gzip !== undefined) lines.push(warmLine(ratioTo(gzip, warm)));
  if (ours.peakBytes !== undefined) {
    const figure = `${megabytes(ours.peakBytes)} MB`;
    lines.push(targetLine("peak memory of ours at most 200 MB", figure, ours.peakBytes <= PEAK_BYTES));
  }
  return lines;
}

function shareLine(ratio: number, name: string, share: number): string {
  return targetLine(`ours at most ${share} of ${name}`, ratio.toFixed(2), ratio <= share);
}

function sizeLines(ours: Result, gzip: Result | undefined): readonly string[] {
  if (ours.outputBytes === undefined || gzip?.outputBytes === undefined) return [];
  const difference = ours.outputBytes / gzip.outputBytes - 1;
  const figure = `${(100 * difference).toFixed(2)} %`;
  return [targetLine(`size within 2 % of ${NAMES.gzip}`, figure, Math.abs(difference) <= SIZE_SHARE)];
}

function dryRunLine(ratio: number): string {
  const what = `a dry run at most ${String(DRY_RUN_SHARE)} of ${NAMES.hash}`;
  return targetLine(what, ratio.toFixed(2), ratio <= DRY_RUN_SHARE);
}

function warmLine(ratio: number): string {
  const what = `inside a running process at most ${String(WARM_SHARE)} of ${NAMES.gzip}`;
  return targetLine(what, ratio.toFixed(2), ratio <= WARM_SHARE);
}
