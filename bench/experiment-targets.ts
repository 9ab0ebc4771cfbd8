import { NAMES } from "./experiment-cases.ts";
import { cpuRatioTo, ratioTo, type Result } from "./rounds.ts";
import { megabytes, targetLine } from "./table.ts";
import { cpuLine } from "./times.ts";

const TIME_SHARES: readonly (readonly [name: string, share: number])[] = [
  [NAMES.splitArray, 1.2],
  [NAMES.parseArray, 1.2],
  [NAMES.splitLines, 1],
  [NAMES.parseLines, 1],
  [NAMES.upload, 2],
  [NAMES.uploadLines, 2],
];
/** By the time of the processor, which another process disturbs least. */
const PROCESSOR_SHARES: readonly (readonly [name: string, share: number])[] = [
  [NAMES.uploadCsv, 3],
  [NAMES.uploadPromptfoo, 2.6],
];
const PEAK_SHARES: readonly (readonly [name: string, other: string, share: number])[] = [
  [NAMES.splitArray, NAMES.parse, 1 / 6],
  [NAMES.splitLines, NAMES.parse, 1 / 6],
  // The same memory, and a little for the luck of the collector.
  [NAMES.hugeSplitArray, NAMES.splitArray, 1.2],
  [NAMES.hugeSplitLines, NAMES.splitLines, 1.2],
  // Of each row its id stays in memory, to find the one that is there twice: 25 bytes.
  [NAMES.hugeStep, NAMES.step, 1.5],
];
// What is parsed is garbage a moment later, of which V8 lets gather more the longer it runs, up to a limit.
const PEAK_BYTES: readonly (readonly [name: string, bytes: number])[] = [
  [NAMES.hugeParseArray, 150e6],
  [NAMES.hugeParseLines, 150e6],
  [NAMES.step, 150e6],
  [NAMES.stepLines, 150e6],
  [NAMES.stepCsv, 150e6],
  [NAMES.stepPromptfoo, 150e6],
  [NAMES.hugeStepCsv, 150e6],
];

/** What is claimed, a line for each claim: times as shares of JSON.parse's, and peaks of memory. */
export function experimentTargets(results: readonly Result[]): readonly string[] {
  const find = (name: string) => results.find((result) => result.name === name);
  const lines: string[] = [];
  const reference = find(NAMES.parse);
  for (const [name, share] of TIME_SHARES) {
    const result = find(name);
    if (result === undefined || reference === undefined) continue;
    const ratio = ratioTo(reference, result);
    lines.push(targetLine(`${name}: at most ${share} of JSON.parse`, ratio.toFixed(2), ratio <= share));
  }
  for (const [name, share] of PROCESSOR_SHARES) {
    const result = find(name);
    if (result === undefined || reference === undefined) continue;
    lines.push(cpuLine(`${name}: at most ${share} of JSON.parse`, cpuRatioTo(reference, result), share));
  }
  for (const [name, other, share] of PEAK_SHARES) {
    const ratio = (find(name)?.peakBytes ?? Number.NaN) / (find(other)?.peakBytes ?? Number.NaN);
    if (Number.isNaN(ratio)) continue;
    const what = `${name}: peak memory at most ${share.toFixed(2)} of ${other}`;
    lines.push(targetLine(what, ratio.toFixed(2), ratio <= share));
  }
  for (const [name, most] of PEAK_BYTES) {
    const peak = find(name)?.peakBytes;
    if (peak === undefined) continue;
    const what = `${name}: peak memory at most ${megabytes(most)} MB`;
    lines.push(targetLine(what, `${megabytes(peak)} MB`, peak <= most));
  }
  const [stream, ours] = [find(NAMES.stream), find(NAMES.parseArray)];
  if (stream !== undefined && ours !== undefined) {
    const ratio = ratioTo(ours, stream);
    lines.push(
      targetLine(`${NAMES.parseArray}: at least 5 times as fast as stream-json`, ratio.toFixed(1), ratio >= 5),
    );
  }
  return lines;
}
