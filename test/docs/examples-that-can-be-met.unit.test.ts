import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { projectRoot } from "../../scripts/command.ts";
import { readmeWorkflows } from "../../scripts/readme-workflows.ts";
import { judge, type JudgeArguments } from "../../src/judgement/judge-rows.ts";
import { exampleWorkflows } from "./example-workflows.ts";
import { allPages } from "./markdown-file.ts";

const Workflow = z.object({
  jobs: z.record(
    z.string(),
    z.object({ steps: z.array(z.looseObject({ uses: z.string().default(""), with: z.unknown().optional() })) }),
  ),
});
const Settings = z.object({
  results: z.string(),
  gates: z.string().default("none"),
  "dataset-name": z.string().optional(),
  cluster: z.string().optional(),
});

/** Rules that an example shows, with the files that they judge. */
interface Example extends z.infer<typeof Settings> {
  readonly where: string;
}

/** All steps that judge, of the example workflows and of the pages. */
async function examples(): Promise<readonly Example[]> {
  const files = (await exampleWorkflows()).map(({ name, text }) => ({ where: name, text }));
  const shown = (await allPages()).flatMap(({ path, text }) =>
    readmeWorkflows(text).map((each) => ({ where: `${path}:${String(each.line)}`, text: each.text })),
  );
  return [...files, ...shown].flatMap(({ where, text }) => {
    const { jobs } = Workflow.parse(parse(text));
    const steps = Object.values(jobs).flatMap((job) => job.steps);
    const judging = steps.filter(({ uses }) => uses.includes("/action/judge@"));
    return judging.map((step) => ({ where, ...Settings.parse(step.with) }));
  });
}

type Row = Readonly<Record<string, unknown>>;

/** The rows that an example judges: of its own files, or as examples/evaluation writes them. */
async function rowsOf({ results }: Example): Promise<readonly Row[]> {
  const read = (path: string) => readFile(join(projectRoot, path), "utf8");
  if (results.endsWith(".csv")) {
    const [head = "", ...lines] = (await read(results)).trim().split("\n");
    const names = head.split(",");
    const value = (text: string) => (/^(true|false|[\d.]+)$/.test(text) ? (JSON.parse(text) as unknown) : text);
    return lines.map((line) => Object.fromEntries(line.split(",").map((text, at) => [names[at] ?? "", value(text)])));
  }
  // Both are the cases of examples/evaluation.
  expect(["results/support.jsonl", "shards/*.jsonl"]).toContain(results);
  const shards = await Promise.all([1, 2].map((shard) => read(`examples/results/main/shard-${String(shard)}.jsonl`)));
  const rows = shards.flatMap((text) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row),
  );
  expect(rows).toHaveLength((await read("examples/evaluation/cases.jsonl")).trim().split("\n").length);
  return rows;
}

const SCORES = ["correct", "complete", "tone"];

/** The same rows, with what each score becomes. */
function run(rows: readonly Row[], scoreOf: (score: number) => number): JudgeArguments["results"] {
  return {
    rows: rows.map((row) => {
      const scores = SCORES.flatMap((name) => (row[name] === undefined ? [] : [[name, scoreOf(Number(row[name]))]]));
      const latencyMilliseconds = typeof row["latency_ms"] === "number" ? row["latency_ms"] : 50;
      const start = "2026-11-16T09:12:00.000Z";
      return {
        id: String(row["id"]),
        inputs: { input: row["input"] },
        metadata: { language: row["metadata.language"] ?? "en" },
        scores: Object.fromEntries(scores),
        startTime: start,
        endTime: new Date(Date.parse(start) + latencyMilliseconds).toISOString(),
      };
    }),
    created: "2026-11-16T10:00:00Z",
  };
}

async function judged(
  example: Pick<Example, "cluster" | "gates">,
  rows: readonly Row[],
  scoreOf: (score: number) => number,
) {
  const { judgement } = await judge({
    results: run(rows, scoreOf),
    baseline: run(rows, (score) => score),
    gates: example.gates,
    cluster: example.cluster,
    datasetName: "support-questions",
  });
  return judgement;
}

const ALL = (await examples()).filter(({ gates }) => gates !== "none");

test("examples judge in workflows and on pages", () => {
  expect(ALL.length).toBeGreaterThanOrEqual(7);
  const places = ALL.map(({ where }) => where.replace(/:\d+$/, ""));
  expect(places).toEqual(expect.arrayContaining(["judge.yml", "docs/judge.md", "examples/results/README.md"]));
});

test.each(ALL)("$where: its rules can be green and red with so many cases: $gates", async (example) => {
  const rows = await rowsOf(example);
  const same = await judged(example, rows, (score) => score);
  expect(same.gaps).toEqual([]);
  expect(same.rules.filter(({ holds }) => holds !== true)).toEqual([]);
  expect(same.warnings.filter((text) => text.includes("could not have been broken"))).toEqual([]);
  const lost = await judged(example, rows, () => 0);
  const compared = lost.rules.filter(({ rule }) => rule.test.by !== "number");
  expect(compared.filter(({ holds, verdict }) => holds !== false || verdict === "incomplete")).toEqual([]);
});

test.each(["correct not worse by 0.05", "complete not worse by 1pp"])(
  "20 cases cannot meet `%s`, and no example may show it for them",
  async (gates) => {
    const [example] = ALL.filter(({ where }) => where === "judge.yml");
    const rows = example === undefined ? [] : await rowsOf(example);
    const same = await judged({ gates, cluster: undefined }, rows, (score) => score);
    expect(same).toMatchObject({ status: "incomplete", rules: [{ holds: false, verdict: "incomplete" }] });
  },
);
