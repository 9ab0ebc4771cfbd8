import { cpuRatioTo, ratioTo, type Result } from "./rounds.ts";
import { targetLine } from "./table.ts";
import type { TracingCase } from "./tracing-cases.ts";
import { ENCODERS } from "./tracing-encoder.ts";
import { growth, type LongRun } from "./tracing-memory.ts";

/** What the rounds say about one client with one workload and one service. */
export interface Measured extends Pick<TracingCase, "client" | "service" | "workload"> {
  readonly result: Result;
}

/** What is claimed of a workload. */
interface Claims {
  /** How many times the processor's time of ours each public client takes, at least. */
  readonly js: number;
  readonly python?: number;
  readonly mostMegabytes?: number;
}

const CLAIMS: Readonly<Record<"compressed" | "plain", Readonly<Record<string, Claims>>>> = {
  plain: { "200 B": { js: 10 }, "1 KB": { js: 9 }, "50 KB": { js: 2.5 } },
  compressed: {
    "200 B": { js: 4, python: 2 },
    "1 KB": { js: 3.8, python: 2 },
    "50 KB": { js: 1.6, python: 0.75, mostMegabytes: 200 },
  },
};

/** What is claimed of one workload with one service, against each public client that was there. */
export function workloadTargets(measured: readonly Measured[]): readonly string[] {
  const find = (kind: string) => measured.find(({ client }) => client.kind === kind);
  const [ours, js, python] = [find("ours"), find("js"), find("python")];
  if (ours === undefined) return [];
  const { service, workload, result } = ours;
  if (service.latencyMilliseconds > 0) return js === undefined ? [] : [speedLine(ours, js, 5)];
  const claims = CLAIMS[service.zstd ? "compressed" : "plain"][workload.name];
  if (claims === undefined) return [];
  const { mostMegabytes, python: ofPython } = claims;
  const peak = (result.peakBytes ?? Number.NaN) / 1e6;
  return [
    ...(js === undefined ? [] : [processorLine(ours, js, claims.js)]),
    ...(python === undefined || ofPython === undefined ? [] : [processorLine(ours, python, ofPython)]),
    ...(mostMegabytes === undefined
      ? []
      : [
          targetLine(`${workload.name}: at most ${mostMegabytes} MB of memory`, peak.toFixed(0), peak <= mostMegabytes),
        ]),
  ];
}

// The best rounds decide: those of the median hold what else the machine did.
function processorLine(ours: Measured, peer: Measured, least: number): string {
  const ratio = (of: "best" | "median") => cpuRatioTo(ours.result, peer.result, of) ?? Number.NaN;
  const [best, median] = [ratio("best"), ratio("median")];
  const what = `${ours.workload.name}: the ${peer.client.name} takes at least ${least} times the CPU`;
  return targetLine(what, `${best.toFixed(2)}, median ${median.toFixed(2)}`, best >= least);
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
