import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { checkCall, isIterable, type ShapesOf, someText } from "../contract/call-arguments.ts";
import { systemClock } from "../http/clock.ts";
import type { ShownComparison, StoredExperiment } from "../pages/experiment-comparison.ts";
import { NO_BASELINE, pooledBaseline } from "./cases/baseline.ts";
import { MEASURES, type CaseSet } from "./cases/case-set.ts";
import { mergedMetrics } from "./cases/joined.ts";
import { written } from "./cases/metric-key.ts";
import { readResults } from "./cases/reading.ts";
import { Gates } from "./gates/gates.ts";
import { judgeRuns } from "./judge-results.ts";

const Stored = z.strictObject({
  name: someText,
  body: z.custom<StoredExperiment["body"]>(isIterable, "must be an iterable of texts"),
} satisfies ShapesOf<StoredExperiment>);

/**
 * Judges an experiment against another one by the rule `not regressed` for each metric of which it is known whether more
 * is better, as the step `judge` does with the files of both, for the page of the local service. Rejects with ResultsError
 * and BaselineError for experiments that cannot be compared, and with ArgumentsError. While it works, what it compares is
 * in the temporary directory of the system.
 * @idempotence Sends nothing; the same experiments have the same judgement.
 */
export async function compareExperiments(
  baseline: StoredExperiment,
  compared: StoredExperiment,
): Promise<ShownComparison> {
  checkCall("compareExperiments", { baseline: [Stored, baseline], compared: [Stored, compared] });
  const directory = await mkdtemp(join(tmpdir(), "graph-deploy-compare-"));
  try {
    const warnings: string[] = [];
    const read = async ({ name, body }: StoredExperiment, about: string): Promise<CaseSet> => {
      const path = join(directory, "experiment.json");
      await pipeline(body, createWriteStream(path));
      const files = { files: [{ path, name }], format: "native", mapping: undefined, workspace: directory } as const;
      return await readResults(
        { results: files, run: {}, directions: new Map(), keepsTexts: true },
        {
          ...{ spoolDirectory: directory, clock: systemClock, signal: new AbortController().signal },
          emit: (event) => {
            if (event.type === "warning") warnings.push(`${about}${event.message}`);
          },
        },
      );
    };
    const results = await read(compared, "");
    const before = await read(baseline, "Baseline: ");
    // A reader chose this baseline: it may be of the same workflow run, or have many errors.
    const chosen = pooledBaseline([{ set: before, sources: [baseline.name] }], {
      ...{ keep: 1, judged: { ...results.run, run: undefined }, judgedMetrics: results.metrics },
      reasonsAgainst: () => [],
    });
    const judged = judgeRuns(
      { results, baseline: chosen, anchor: NO_BASELINE, warnings },
      {
        gates: Gates.parse(rulesFor(results, before).join("\n")),
        ...{ cluster: undefined, onMissingBaseline: "bootstrap", onEvaluatorChange: "fail", baselineMaxAge: undefined },
      },
      { clock: systemClock },
    );
    const { reportPart } = await import("./report/page.ts");
    const { body, style, script } = reportPart(judged, { showsTexts: true });
    return { html: body.text, style, script };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

// More would be a longer page than people read.
const MOST_RULES = 100;

/** A rule is a line, which no name with a line break fits into. */
function rulesFor(...sides: readonly CaseSet[]): readonly string[] {
  const known = [...mergedMetrics(sides)].filter(([, { isDirectionUnsure }]) => isDirectionUnsure !== true);
  // Scores above what was measured.
  const sorted = known.map(([metric]) => metric).toSorted((a, b) => Number(MEASURES.has(a)) - Number(MEASURES.has(b)));
  const names = sorted.map(written).filter((name) => !/[\r\n]/.test(name));
  return names.slice(0, MOST_RULES).map((name) => `${name} not regressed`);
}
