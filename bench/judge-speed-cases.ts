import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readEvaluation } from "../src/experiments/reading/evaluation.ts";
import type { ReadingDeps } from "../src/experiments/reading/file-reading.ts";
import type { ResultsRequest } from "../src/experiments/request.ts";
import { systemClock } from "../src/http/clock.ts";
import { readBaseline } from "../src/judgement/cases/baseline.ts";
import type { CaseSet } from "../src/judgement/cases/case-set.ts";
import { readCases } from "../src/judgement/cases/reading.ts";
import { Gates } from "../src/judgement/gates/gates.ts";
import { judge } from "../src/judgement/judge.ts";
import { readSnapshot } from "../src/judgement/cases/snapshot-reader.ts";
import { writeSnapshot } from "../src/judgement/cases/snapshot-writer.ts";

const [name = "", now = "", other = ""] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "graph-deploy-bench-judge-"));
const deps: ReadingDeps = {
  ...{ spoolDirectory: directory, clock: systemClock, signal: new AbortController().signal, emit: () => undefined },
};
const GATES =
  "accuracy not regressed\ntone not worse by 0.02\nlatency not worse by 10%\nmean(safety)[language = de] >= 0";
const METRICS = 7;
const request = { run: {}, directions: new Map(), keepsTexts: false } as const;
const CASES: ReadonlyMap<string, () => Promise<void>> = new Map([
  ["loaded", () => Promise.resolve()],
  ["read", read],
  ["collect", async () => void (await collect())],
  ["snapshot", () => Promise.resolve(void readSnapshot({ path: now, name: basename(now) }))],
  ["both", () => both(GATES, METRICS)],
  ["wide", () => both(Array.from({ length: 200 }, (_, at) => `score_${String(at)} not regressed`).join("\n"))],
  ["write", write],
]);

/** Runs the case that the arguments name, and prints what it took. */
export async function runCase(): Promise<void> {
  try {
    const run = CASES.get(name);
    if (run === undefined) throw new Error(`${name} is not one of ${[...CASES.keys()].join(", ")}`);
    const [begin, before] = [performance.now(), process.cpuUsage()];
    await run();
    const seconds = (performance.now() - begin) / 1000;
    const { user, system } = process.cpuUsage(before);
    const processorSeconds = (user + system) / 1e6;
    console.log(JSON.stringify({ seconds, processorSeconds, peakKilobytes: process.resourceUsage().maxRSS }));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function resultsOf(path: string): ResultsRequest {
  return { files: [{ path, name: basename(path) }], format: undefined, mapping: undefined, workspace: "/" };
}

/** As the upload reads: nobody watches. */
async function read(): Promise<void> {
  const reading = { ...resultsOf(now), dataset: undefined, takesVerbatim: false };
  const { spool, faults } = await readEvaluation(reading, deps);
  faults.throwIfAny();
  await spool.remove();
}

async function collect(): Promise<CaseSet> {
  return await readCases({ ...request, results: resultsOf(now) }, deps);
}

async function both(gates: string, count?: number): Promise<void> {
  const set = await collect();
  const pooled = { ...request, results: resultsOf(other), keep: 5, judged: {} };
  const { baseline } = await readBaseline(pooled, deps);
  const { metrics } = judge({ results: set, baseline, gates: Gates.parse(gates) });
  if (count !== undefined && metrics.length !== count) throw new Error(`${String(metrics.length)} metrics were judged`);
}

async function write(): Promise<void> {
  writeSnapshot(await collect(), { path: other, name: basename(other) });
}
