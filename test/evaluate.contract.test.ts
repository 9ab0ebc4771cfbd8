import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { ArgumentsError, evaluate, rescore, type Evaluation, type EvaluationEvent } from "../src/index.ts";
import { countingServer } from "./evaluation/counting-server.ts";
import { casesText } from "./evaluation/request.ts";

/** A dataset of three cases in a directory of its own, and where the results go. */
async function dataset() {
  const directory = await mkdtemp(join(tmpdir(), "graph-deploy-evaluate-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await writeFile(join(directory, "cases.jsonl"), casesText(3).join(""));
  await writeFile(
    join(directory, "evaluation.yaml"),
    `dataset: ${JSON.stringify(join(directory, "cases.jsonl"))}\ntrials: 2\nscorers: { answered: { matches: /./ } }\n`,
  );
  return { evaluation: join(directory, "evaluation.yaml"), results: join(directory, "results.jsonl") };
}

test("a program evaluates by a file and what it says beside it, and scores the answers again", async () => {
  const { url, runs } = await countingServer();
  const given = await dataset();
  const events: EvaluationEvent[] = [];
  const summary = await evaluate(
    { ...given, input: { question: "$.question" }, prices: { model: { input: 1, output: 2 } } },
    { url, emit: (event) => events.push(event) },
  );
  expect(runs).toHaveLength(6);
  expect(runs[0]?.input).toEqual({ question: expect.stringMatching(/^q\d$/) as unknown });
  expect(summary).toMatchObject({ cases: 3, trials: 6, unmeasured: 0, scores: [{ key: "answered", mean: 1 }] });
  expect(summary.cost).toBeCloseTo((6 * (10 * 1 + 5 * 2)) / 1_000_000);
  expect(events.at(-1)).toMatchObject({ type: "ended", status: "complete", resultsPath: given.results });

  const again = await rescore({ results: given.results, scorers: { named: { contains: "$.answer" } } }).catch(
    (error: unknown) => error,
  );
  expect(again).toBeInstanceOf(ArgumentsError);
  expect(again).toMatchObject({ faults: [expect.stringMatching(/^`scorers\.named/)] });
  const scored = await rescore({ results: given.results, scorers: { named: { "contains-all": ["Answer"] } } });
  expect(scored).toMatchObject({ trials: 6, scores: [{ key: "named", mean: 1 }] });
  expect(await readFile(given.results, "utf8")).toContain('"key":"named"');
  expect(runs).toHaveLength(6);
});

test("every wrong argument is named before anything is sent, those of the file with their lines", async () => {
  const { url, runs } = await countingServer();
  const { evaluation, results } = await dataset();
  await writeFile(evaluation, "dataset: none.jsonl\ntrails: 2\nlimit: 0\n");
  const wrong = { evaluation, results, output: "answer", shard: "6/5", trials: 0 };
  const error: unknown = await evaluate(wrong, { url }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ArgumentsError);
  expect(error).toMatchObject({
    faults: [
      "`trials` must be 1 or more",
      "`shard` is not a part of the cases (example: 2/5)",
      "`evaluation`: line 3: `limit` must be 1 or more",
      "`evaluation`: line 2: `trails` is not a known key; did you mean `trials`?",
      '`output` "answer" is not a path (example: $.messages[-1].content)',
    ],
  });
  expect(runs).toEqual([]);
});

test("a dataset that is not there is named, and so is a file that cannot be read", async () => {
  const { results } = await dataset();
  const faultsOf = async (given: Omit<Evaluation, "results">) => {
    const error: unknown = await evaluate({ results, ...given }, { url: "http://127.0.0.1:9" }).catch(
      (thrown: unknown) => thrown,
    );
    return error instanceof ArgumentsError ? error.faults : error;
  };
  expect(await faultsOf({})).toEqual(["`dataset` is missing"]);
  expect(await faultsOf({ dataset: "none.jsonl" })).toEqual([expect.stringContaining("`dataset`: none.jsonl")]);
  expect(await faultsOf({ evaluation: "none.yaml", dataset: "package.json" })).toEqual(["`evaluation` cannot be read"]);
});

test("the key goes to the agent server, and into no result", async () => {
  const { url, runs } = await countingServer({
    agent: () => ({ messages: [{ type: "ai", content: "key-0123456789" }] }),
  });
  const given = await dataset();
  await evaluate(given, { url, apiKey: "key-0123456789" });
  expect(runs[0]?.headers["x-api-key"]).toBe("key-0123456789");
  expect(await readFile(given.results, "utf8")).not.toContain("key-0123456789");
});

test("a scorer that breaks is an error, in an evaluation and where its answers are scored again", async () => {
  const { url } = await countingServer();
  const given = await dataset();
  const scorers = { it: { command: "exit 3" } };
  const broken = {
    ...{ code: "EVALUATION_INCOMPLETE", status: "incomplete", reasons: ["SCORER_BROKEN"] },
    message: expect.stringMatching(/^The scorer "it" failed on 6 trials: /) as unknown,
  };
  await expect(evaluate({ ...given, scorers }, { url })).rejects.toMatchObject(broken);
  await expect(rescore({ results: given.results, scorers })).rejects.toMatchObject(broken);
  expect(await readFile(given.results, "utf8")).toContain('"broken_scores":["it"]');
});

test("a program that cancels the scoring gets an error, and the results stay as they were", async () => {
  const { url } = await countingServer();
  const given = await dataset();
  await evaluate(given, { url });
  const before = await readFile(given.results);
  const scorers = { slow: { command: "cat > /dev/null" } };
  const cancel = new AbortController();
  const scoring = rescore({ results: given.results, scorers }, { signal: cancel.signal });
  cancel.abort();
  await expect(scoring).rejects.toMatchObject({ name: "AbortError" });
  expect(await readFile(given.results)).toEqual(before);
});

test("no scorer gets the key of the environment, also where answers are scored again", async () => {
  const { url } = await countingServer();
  const given = await dataset();
  await evaluate(given, { url });
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("GRAPH_DEPLOY_API_KEY", "key-of-the-environment");
  vi.stubEnv("MINE", "Bearer key-of-the-environment");
  for (const name of ["GRAPH_DEPLOY_API_KEY", "MINE"]) {
    const scorers = { it: { command: "cat", env: [name] } };
    const refused = {
      code: "SCORER",
      message: expect.stringContaining(`its variable ${name} holds a secret`) as unknown,
    };
    await expect(rescore({ results: given.results, scorers })).rejects.toMatchObject(refused);
    await expect(evaluate({ ...given, scorers }, { url, apiKey: "another-key" })).rejects.toMatchObject(refused);
  }
});
