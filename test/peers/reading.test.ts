import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { request } from "undici";
import { expect, inject, onTestFinished, test } from "vitest";
import * as z from "zod";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { OFFLINE } from "./rig.ts";

const API_KEY = "key-of-the-readers";
const SCRIPTS = join(import.meta.dirname, "readers");
const js = inject("jsPeer");
const python = inject("pythonPeer");

// More than one page of a public client has.
const DATASETS = 103;
const RUN_ID = "019cb6de-8c82-7000-8000-000000000001";

const Uploaded = z.object({ experiment: z.object({ id: z.string() }), dataset: z.object({ id: z.string() }) });

async function post({ url }: LocalService, path: string, json: unknown): Promise<unknown> {
  const { statusCode, body } = await request(url + path, {
    method: "POST",
    headers: { "x-api-key": API_KEY, "content-type": "application/json" },
    body: JSON.stringify(json),
  });
  const text = await body.text();
  expect(statusCode, text).toBeLessThan(300);
  return text === "" ? undefined : JSON.parse(text);
}

/** A service with a traced project, and with an experiment in each of its datasets. */
async function serve() {
  const service = await startLocalService({ apiKey: API_KEY, experimentDelayMilliseconds: 0 });
  onTestFinished(() => service.close());
  const times = { start_time: "2026-03-04T05:06:07Z", end_time: "2026-03-04T05:06:08Z" };
  await post(service, "/runs", {
    ...{ id: RUN_ID, name: "ask", run_type: "llm", session_name: "a project", ...times },
    ...{ inputs: { q: "why?" }, outputs: { a: "because" } },
  });
  const made: z.infer<typeof Uploaded>[] = [];
  for (let number = 1; number <= DATASETS; number += 1) {
    const row = { row_id: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`, inputs: {}, ...times };
    const answer = await post(service, "/datasets/upload-experiment", {
      experiment_name: `experiment ${String(number)}`,
      dataset_name: `set ${String(number)}`,
      experiment_start_time: times.start_time,
      experiment_end_time: times.end_time,
      experiment_metadata: { commit: `c${String(number)}` },
      results: [{ ...row, evaluation_scores: [{ key: "exact", score: 1 }] }],
    });
    made.push(Uploaded.parse(answer));
  }
  const [first] = made;
  if (first === undefined) throw new Error("Nothing was uploaded.");
  return { service, ids: { experiment: first.experiment.id, run: RUN_ID }, dataset: first.dataset };
}

/** What a script of a public SDK read. */
async function read(program: string, script: string, { url }: LocalService, ids: unknown) {
  const { stdout } = await promisify(execFile)(program, [join(SCRIPTS, script), url, JSON.stringify(ids)], {
    env: { PATH: process.env["PATH"], ...OFFLINE },
    timeout: 120_000,
  });
  return JSON.parse(stdout) as {
    readonly project: readonly (readonly [string, string])[];
    readonly dataset: readonly (readonly [string, string])[];
    readonly errors: Readonly<Record<string, string>>;
  };
}

const NAMES = Array.from({ length: DATASETS }, (_, index) => `set ${String(DATASETS - index)}`);

test.for([
  ["JS", js, "read.mjs"],
  ["Python", python, "read.py"],
] as const)(
  "what a public SDK reads is there, page by page and by its names and ids, from %s",
  async ([, tool, script], { skip }) => {
    if ("missing" in tool) return skip(tool.missing);
    const { service, ids, dataset } = await serve();
    const program = script === "read.mjs" ? process.execPath : join(dirname(tool.program), "python");
    const found = await read(program, script, service, ids);
    expect(found).toMatchObject({
      experiment: ["experiment 1", dataset.id, { commit: "c1" }],
      projects: ["a project"],
      experiments: DATASETS,
      projects_containing: ["a project"],
      projects_of: ["experiment 2"],
      projects_by_id: ["experiment 1", "a project"],
      dataset_counts: ["kv", 1, 1],
      datasets: NAMES,
      datasets_limited: NAMES.slice(0, 2),
      datasets_named: ["set 1"],
      datasets_containing: ["set 103", "set 102", "set 101", "set 100", "set 10"],
      datasets_by_id: ["set 1"],
      has: [true, false],
      run: ["ask", { q: "why?" }, { a: "because" }, "success"],
    });
    expect(found.errors).toEqual({
      project: expect.stringMatching(/not found/i) as string,
      dataset: expect.stringMatching(/not found/i) as string,
      filter: expect.stringContaining("metadata") as string,
      runs: expect.stringContaining("The local service does not serve searches of runs. GET /runs?session=") as string,
      examples: expect.stringContaining("The local service does not serve examples.") as string,
      create_dataset: expect.stringContaining("The local service does not serve changes of datasets.") as string,
      create_project: expect.stringContaining("The local service does not serve changes of projects") as string,
      feedback: expect.stringContaining("The local service does not serve feedback.") as string,
    });
    // The links that it makes are pages of the service.
    for (const [id, page] of [...found.project, ...found.dataset]) {
      expect(page).toContain(id);
      const login = `Basic ${Buffer.from(`user:${API_KEY}`).toString("base64")}`;
      const { statusCode, body } = await request(page, { headers: { authorization: login } });
      expect([page, statusCode]).toEqual([page, 200]);
      expect(await body.text()).toMatch(/<h1>/);
    }
  },
);
