import { beforeEach, expect, test } from "vitest";
import type { ActRun } from "./act.ts";
import { readBack } from "./read-back.ts";
import { example, missingFor, needsAct, rig, SECRETS } from "./rig.ts";

needsAct();
beforeEach(async (context) => {
  const missing = missingFor(await example("evaluate.yml"));
  if (missing !== undefined) context.skip(missing);
});

const STEP = "OWNER/graph-deploy/action/upload-experiment@v1";
const SAY = "Say how it ended";
const UPLOAD = "Evaluate/upload";

const failed = ({ exitCode, log }: ActRun) => {
  expect(exitCode, log.text).toBe(1);
  expect(Object.entries(log.jobs).filter(([, ended]) => ended !== "success")).toEqual([[UPLOAD, "failure"]]);
};

test("the shards of a matrix become one experiment, whose scores the next step has, and a second run is another one with the same rows", async () => {
  const { run, service } = await rig([await example("evaluate.yml")]);
  const { exitCode, log } = await run();
  expect(exitCode, log.text).toBe(0);
  expect(Object.values(log.jobs)).toEqual(["success", "success", "success", "success"]);
  expect(log.stages(UPLOAD)).toEqual([
    "Main actions/download-artifact@commit: success",
    `Main ${STEP}: success`,
    `Main ${SAY}: success`,
    `Post ${STEP}: success`,
  ]);
  const outputs = log.outputs("experiment", UPLOAD);
  expect(outputs).toMatchObject({ "upload-status": "uploaded", "row-count": "20", "error-count": "0" });
  const scores = '{"correct":{"n":20,"mean":0.7},"complete":{"n":20,"mean":0.725}}';
  expect(log.printed(SAY)).toEqual([`uploaded ${scores}`]);
  expect(log.summary(UPLOAD)).toContain("is uploaded");
  expect(log.leaked(SECRETS)).toEqual([]);
  const { datasets, experiments, rows } = await readBack(service);
  expect(datasets).toEqual(["support-questions"]);
  expect(experiments).toEqual([outputs["experiment-name"]]);
  expect(rows).toHaveLength(20);

  const second = await run();
  expect(second.exitCode, second.log.text).toBe(0);
  const both = await readBack(service);
  // act gives each run the same id: the name is taken, and gets a number.
  expect(both.experiments.toSorted()).toEqual([...experiments, `${experiments.join()}-2`]);
  expect(new Set(both.rows)).toEqual(new Set(rows));
});

test("the key is masked by the step itself where the workflow has it from elsewhere", async () => {
  const workflow = (await example("evaluate.yml"))
    .replaceAll("secrets.", "vars.")
    .replace('run: echo "$STATUS $SCORES"', "run: echo had ${{ vars.GRAPH_API_KEY }}");
  const { run } = await rig([workflow]);
  const [GRAPH_API_KEY = ""] = SECRETS;
  const { log } = await run({ secrets: { GRAPH_API_KEY: "" }, vars: { GRAPH_API_KEY } });
  expect(log.printed(SAY)).toEqual(["had ***"]);
  expect(log.printed(STEP).join("\n")).toContain("Uploaded");
  expect(log.leaked([GRAPH_API_KEY])).toEqual([]);
});

test("a shard that cannot be read fails the job, names its place, and nothing is sent", async () => {
  const { run, service, commit } = await rig([await example("evaluate.yml")]);
  await commit("evaluation/run.py", CUT_OFF);
  const ended = await run();
  failed(ended);
  const [annotation = "", ...others] = ended.log.annotations("error", UPLOAD).filter((line) => !line.includes("exit"));
  expect(annotation).toContain("results/shard-2.jsonl, line 2");
  expect(others).toEqual([]);
  expect(ended.log.printed(SAY).join()).toBe("failed");
  expect(service.requests).toEqual([]);
});

test("shards with too few rows fail the job", async () => {
  const { run, service, commit } = await rig([await example("evaluate.yml")]);
  const cases = ["one", "two", "three"].map((id) => ({ id, question: "Why?", source: null, facts: ["colleague"] }));
  await commit("evaluation/cases.jsonl", cases.map((line) => JSON.stringify(line)).join("\n"));
  const ended = await run();
  failed(ended);
  expect(ended.log.annotations("error", UPLOAD).join("\n")).toContain("expected 20 rows, found 3");
  expect(service.requests).toEqual([]);
});

test("a shard that fails keeps the others from being uploaded", async () => {
  const { run, service, commit } = await rig([await example("evaluate.yml")]);
  await commit("evaluation/run.py", 'import sys\n\nsys.exit("2" in sys.argv)\n');
  const { exitCode, log } = await run();
  expect(exitCode).toBe(1);
  expect(log.stages(UPLOAD)).toEqual([]);
  expect(service.requests).toEqual([]);
});

/** Stands in for the evaluation: the second shard ends in the middle of a line. */
const CUT_OFF = `import sys
from pathlib import Path

shard, output = sys.argv[2], Path(sys.argv[6])
output.parent.mkdir(exist_ok=True)
whole = '{"id": "' + shard + '", "input": "Why?", "correct": true}\\n'
output.write_text(whole + whole[:20] if shard == "2" else whole)
`;
