import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileText } from "../../front/account/results-words.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { judgeResults } from "../../src/judgement/judge-results.ts";
import type { ExperimentEvent } from "../../src/experiments/events.ts";
import { casesRig } from "../judgement/cases/cases-rig.ts";
import { FIXTURES } from "./formats/stored-file.ts";
import { uploadRig } from "./upload-rig.ts";

// What a later version of a tool could write: a fact, and scores of the parts of a program.
const LATER = { "cache\n::error::hits": 3, partScores: [{ name: "rerank", score: 0.25 }] };

async function laterReport(): Promise<string> {
  const text = await readFile(join(FIXTURES, "pydantic-evals/report.json"), "utf8");
  return text.replace('"inputs":', `${JSON.stringify(LATER).slice(1, -1)},"inputs":`);
}

function expectTold(events: readonly ExperimentEvent[], rows: number): void {
  const files = events.flatMap((event) => (event.type === "file-read" ? [event.file] : []));
  expect(files.map((file) => file.rows)).toEqual([rows]);
  const [file] = files;
  expect(file && fileText(file)).toMatch(
    /^report\.json: \d+ rows? \(pydantic-evals, .*\): not read `cases\.cache ::error::hits`, `cases\.partScores`$/,
  );
  const warnings = events.flatMap((event) => (event.type === "warning" ? [event.message] : []));
  expect(warnings.filter((message) => message.includes("partScores"))).toEqual([
    "report.json: `cases.partScores` looks like scores and was not read. To upload it, write the rows as CSV or JSON " +
      "Lines, with the columns `input` and `output` and one for each score.",
  ]);
}

test("an upload names the keys of a file that were not read once, and warns of what looks like scores", async () => {
  const { dryRun, write, events } = await uploadRig();
  await write({ "report.json": await laterReport() });
  await dryRun();
  expectTold(events, 3);
});

test("a judgement names them, too", async () => {
  const rig = await casesRig();
  await rig.write({ "report.json": await laterReport() });
  const request = {
    results: {
      files: await rig.filesOf(["report.json"]),
      format: undefined,
      mapping: undefined,
      workspace: rig.workspace,
    },
    baseline: undefined,
    anchor: undefined,
    run: { dataset: { name: "qa" } },
    directions: new Map(),
    keepsTexts: false,
    gates: Gates.parse("exact not regressed"),
    cluster: undefined,
    onMissingBaseline: "bootstrap" as const,
    onEvaluatorChange: "fail" as const,
    baselineMaxAge: undefined,
    baselineKeep: 5,
  };
  await judgeResults(request, rig.deps);
  expectTold(rig.events, 3);
});
