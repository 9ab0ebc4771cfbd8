import { testWith } from "../../test-with.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import type { ReadingDeps } from "../../../src/experiments/reading/file-reading.ts";
import type { ResultsRequest } from "../../../src/experiments/request.ts";
import { systemClock } from "../../../src/http/clock.ts";
import { findFiles } from "../../../src/files/find-files.ts";
import type { CaseSet } from "../../../src/judgement/cases/case-set.ts";
import { readCases, readResults, type CasesRequest } from "../../../src/judgement/cases/reading.ts";
import { writeSnapshot } from "../../../src/judgement/cases/snapshot-writer.ts";
import { Gates } from "../../../src/judgement/gates/gates.ts";
import { judgeResults, type JudgementRequest } from "../../../src/judgement/judge-results.ts";
import { writeFiles } from "../../write-files.ts";

export const NOW = new Date("2026-11-22T00:00:00.000Z");

/** A workspace, and the reading of cases in it. */
export async function casesRig() {
  const workspace = await mkdtemp(join(tmpdir(), "graph-deploy-cases-"));
  onTestFinished(() => rm(workspace, { recursive: true, force: true }));
  const events: ExperimentEvent[] = [];
  const deps: ReadingDeps = {
    spoolDirectory: workspace,
    clock: { ...systemClock, date: () => NOW },
    signal: new AbortController().signal,
    emit: (event) => {
      events.push(event);
    },
  };
  const filesOf = async (patterns: readonly string[] = ["*"]) => (await findFiles(patterns, workspace)).files;
  const given = async (pattern: string | undefined) =>
    pattern === undefined
      ? undefined
      : { files: await filesOf([pattern]), format: undefined, mapping: undefined, workspace };
  return {
    workspace,
    deps,
    /** Judges the files of these patterns. */
    judge: async (
      { now, baseline, anchor }: { readonly now: string; readonly baseline?: string; readonly anchor?: string },
      more: Partial<JudgementRequest> = {},
    ) => {
      const results = { files: await filesOf([now]), format: undefined, mapping: undefined, workspace };
      const request: JudgementRequest = {
        ...{ results, baseline: await given(baseline), anchor: await given(anchor) },
        ...{ run: { dataset: { name: "qa" } }, directions: new Map(), keepsTexts: false, cluster: undefined },
        ...{ gates: Gates.parse("correct not regressed"), onMissingBaseline: "bootstrap", onEvaluatorChange: "fail" },
        ...{ baselineMaxAge: undefined, baselineKeep: 5 },
        ...more,
      };
      return await judgeResults(request, deps);
    },
    /** Writes a snapshot of a set. */
    save: (set: CaseSet, name: string) => {
      writeSnapshot(set, { path: join(workspace, name), name });
    },
    events,
    filesOf,
    warnings: () => events.flatMap((event) => (event.type === "warning" ? [event.message] : [])),
    write: async (files: Readonly<Record<string, string>>) => {
      await writeFiles(workspace, files);
    },
    read: async ({ patterns, mapping, ...request }: Overrides = {}): Promise<CaseSet> => {
      const results: ResultsRequest = { files: await filesOf(patterns), format: undefined, mapping, workspace };
      return await readResults({ run: {}, directions: new Map(), keepsTexts: false, results, ...request }, deps);
    },
    /** Result files and snapshots, as one run. */
    readRun: async ({ patterns, mapping, ...request }: Overrides = {}): Promise<CaseSet> => {
      const results: ResultsRequest = { files: await filesOf(patterns), format: undefined, mapping, workspace };
      return await readCases({ run: {}, directions: new Map(), keepsTexts: false, results, ...request }, deps);
    },
  };
}

export const withCases = testWith(casesRig);

interface Overrides extends Partial<CasesRequest> {
  readonly patterns?: readonly string[];
  readonly mapping?: ResultsRequest["mapping"];
}

/** All of a set as plain values: the members of its cases may be getters. */
export function plain({ run, metrics, cases }: CaseSet, { withPlaces = true } = {}) {
  return {
    run,
    metrics: Object.fromEntries(metrics),
    cases: Array.from(cases, ({ key, name, digest, metadata, trials, inputs, expected }) => ({
      ...{ key, name, digest, metadata, inputs, expected },
      trials: trials.map(({ values, hasError, start, unscored, unmeasured, place, outputs, error }) => ({
        ...{ values: [...values], hasError, start, unscored, unmeasured, outputs, error },
        ...(withPlaces ? { place } : {}),
      })),
    })),
  };
}
