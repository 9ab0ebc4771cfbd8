import { ratioTo, type Result } from "./rounds.ts";
import { targetLine } from "./table.ts";
import type { TracingCase, Workload } from "./tracing-cases.ts";
import { ENCODERS } from "./tracing-encoder.ts";
import { growth, type LongRun } from "./tracing-memory.ts";

/** What the rounds say about one client with one workload. */
export interface Measured extends Pick<TracingCase, "client" | "workload"> {
  readonly result: Result;
}

/** What is claimed of one workload, against each public client that was there. */
export function workloadTargets(measured: readonly Measured[]): readonly string[] {
  const find = (kind: string) => measured.find(({ client }) => client.kind === kind);
  const [ours, js, python] = [find("ours"), find("js"), find("python")];
  if (ours === undefined) return [];
  return [
    ...(js === undefined ? [] : targetsAgainstJs(ours, js)),
    ...(python === undefined || !isSmall(ours.workload) ? [] : [speedLine(ours, python, 4)]),
  ];
}

// What JSON.stringify alone takes of large runs is a quarter of what the JS SDK takes.
const LARGE = [1.8, 1.7] as const;

function targetsAgainstJs(ours: Measured, js: Measured): readonly string[] {
  const { workload } = ours;
  if (workload.latencyMilliseconds > 0) return [speedLine(ours, js, 5)];
  const processor = (ours.result.processorSeconds ?? Number.NaN) / (js.result.processorSeconds ?? Number.NaN);
  const peak = (ours.result.peakBytes ?? Number.NaN) / (js.result.peakBytes ?? Number.NaN);
  const [speed, share] = isSmall(workload) ? [10, 8] : LARGE;
  return [
    speedLine(ours, js, speed),
    targetLine(
      `${workload.name}: CPU at most 1/${String(share)} of the JS SDK`,
      `1/${(1 / processor).toFixed(1)}`,
      processor <= 1 / share,
    ),
    targetLine(`${workload.name}: peak memory at most 1/2 of the JS SDK`, peak.toFixed(2), peak <= 1 / 2),
  ];
}

function isSmall({ size, latencyMilliseconds }: Workload): boolean {
  return size <= 1024 && latencyMilliseconds === 0;
}

function speedLine(ours: Measured, peer: Measured, least: number): string {
  const ratio = ratioTo(ours.result, peer.result);
  const what = `${ours.workload.name}: at least ${least} times the runs of the ${peer.client.name}`;
  return targetLine(what, ratio.toFixed(2), ratio >= least);
}

/** What is claimed of the encoder. */
export function encoderTargets(results: readonly Result[]): readonly string[] {
  const find = (name: string) => results.find((result) => result.name === name);
  const [ours, stringify, blobs] = [find(ENCODERS.ours), find(ENCODERS.stringify), find(ENCODERS.blobs)];
  if (ours === undefined || stringify === undefined || blobs === undefined) return [];
  const [speed, share] = [ratioTo(ours, blobs), ratioTo(stringify, ours)];
  return [
    targetLine("encoder: at least 10 times as fast as Blobs", speed.toFixed(1), speed >= 10),
    targetLine("encoder: at most 3 times JSON.stringify", share.toFixed(2), share <= 3),
  ];
}

/** What is claimed of memory. */
export function memoryTarget(run: LongRun): string {
  const { ratio, isFlat } = growth(run);
  const what = `${run.count.toLocaleString("en")} runs in one process: memory of the last fifth as of the first`;
  return targetLine(what, ratio.toFixed(2), isFlat);
}
