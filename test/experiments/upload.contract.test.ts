import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectUploads } from "../../src/connection.ts";
import { ExperimentNameTakenError, ExperimentUnansweredError } from "../../src/experiment-upload/errors.ts";
import { ResultsError } from "../../src/experiments/reading/result-faults.ts";
import { findFiles } from "../../src/files/find-files.ts";
import { uploadResults } from "../../src/experiments/upload.ts";
import { systemClock } from "../../src/http/clock.ts";
import { REQUEST } from "./request.ts";
import { withUploads, row, uploadRig } from "./upload-rig.ts";

const native = (fields: Readonly<Record<string, unknown>>, rows: readonly string[]) =>
  `${JSON.stringify({ experiment_name: "from-the-file", dataset_name: "capitals", ...fields }).slice(0, -1)},"results":[${rows.join(",")}]}`;

async function faultsOf(work: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await work.catch((caught: unknown) => caught);
  if (!(error instanceof ResultsError)) throw new Error("nothing was refused", { cause: error });
  return error.faults.map(({ place, message }) => `${place.file}: ${message}`);
}

describe("an upload of results", () => {
  test("makes one experiment of one dataset, with the rows as they stand in the file", async () => {
    const { write, upload, service, get, spoolDirectory } = await uploadRig();
    await write({ "results.jsonl": `${row(1)}\n${row(2)}\n` });
    const [sent] = await upload();
    expect(sent).toMatchObject({ name: "nightly", status: "uploaded", rows: 2, dataset: { name: "qa-set" } });
    const rows = await get(`/experiments/${sent?.id ?? ""}/rows`);
    expect(rows).toMatchObject([
      { inputs: { question: "question 1" }, evaluation_scores: [{ key: "exact", score: 1 }] },
      { inputs: { question: "question 2" }, start_time: "2026-05-04T10:00:02Z", end_time: "2026-05-04T10:00:03Z" },
    ]);
    expect(service.requests.filter(({ method }) => method === "POST").map(({ path }) => path)).toEqual([
      "/api/v1/datasets/upload-experiment",
    ]);
    expect(await readdir(spoolDirectory)).toEqual([]);
  });

  withUploads("names the page where the experiment is shown", async ({ write, upload }) => {
    await write({ "results.jsonl": row(1) });
    const page = (await upload())[0]?.page ?? "";
    const answer = await fetch(page);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("question 1");
  });

  test("takes shards as one experiment, from the first start to the last end, and a shared row once", async () => {
    const { write, upload, get, events } = await uploadRig();
    await write({
      "1.jsonl": `${row(1, { row_id: UUID })}\n${row(2)}`,
      "2.jsonl": `${row(1, { row_id: UUID })}\n${row(7)}`,
    });
    const [sent] = await upload({ expectedShards: 2, expectedRows: 3 });
    expect(sent?.rows).toBe(3);
    expect(await get(`/datasets/${sent?.datasetKey.id ?? ""}/experiments`)).toMatchObject([
      { start_time: expect.stringContaining("10:00:01"), end_time: expect.stringContaining("10:00:08") },
    ]);
    expect(events.find(({ type }) => type === "read")).toMatchObject({ results: { sharedRows: 1, rows: 3 } });
  });

  test("says what is known of the run: facts below what the files say, metadata above", async () => {
    const { write, upload, get } = await uploadRig();
    await write({ "results.json": native({ experiment_metadata: { commit: "of the file", model: "m" } }, [row(1)]) });
    const [sent] = await upload({
      facts: { commit: "of the run", actor: "octocat" },
      metadata: { model: "given", seed: 7 },
    });
    const [experiment] = await get(`/datasets/${sent?.datasetKey.id ?? ""}/experiments`);
    expect(experiment?.["extra"]).toMatchObject({
      metadata: {
        commit: "of the file",
        actor: "octocat",
        model: "given",
        seed: 7,
        uploaded_with: expect.stringMatching(/^graph-deploy \d/),
        result_files: [
          { name: "results.json", format: "native", rows: 1, digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
        ],
      },
    });
  });

  test("is called as the request says, else as the file says, else by the default", async () => {
    const { write, upload } = await uploadRig();
    await write({ "a.json": native({}, [row(1)]), "b.jsonl": row(1) });
    expect((await upload({ patterns: ["a.json"], name: "given" }))[0]?.name).toBe("given");
    expect((await upload({ patterns: ["a.json"] }))[0]?.name).toBe("from-the-file");
    expect((await upload({ patterns: ["b.jsonl"] }))[0]?.name).toBe("nightly");
  });

  withUploads("goes to the dataset of the file when the request names none", async ({ write, upload }) => {
    await write({ "a.json": native({}, [row(1)]) });
    expect((await upload({ datasetName: undefined }))[0]?.datasetKey.name).toBe("capitals");
  });

  test("with more rows than one experiment may have becomes numbered ones of one dataset", async () => {
    const { write, upload, get } = await uploadRig();
    await write({ "results.jsonl": [1, 2, 3, 4, 5].map((id) => row(id)).join("\n") });
    const sent = await upload({ maxRows: 2 });
    expect(sent.map(({ name, rows }) => [name, rows])).toEqual([
      ["nightly [1/3]", 2],
      ["nightly [2/3]", 2],
      ["nightly [3/3]", 1],
    ]);
    expect(new Set(sent.map(({ datasetKey }) => datasetKey.id)).size).toBe(1);
    const [last] = await get(`/experiments/${sent[2]?.id ?? ""}/rows`);
    expect(last).toMatchObject({ inputs: { question: "question 5" } });
  });
});

describe("a name that is taken", () => {
  withUploads("gets the next free number, for all parts alike", async ({ write, upload, events }) => {
    await write({ "results.jsonl": `${row(1)}\n${row(2)}` });
    await upload({ maxRows: 1, run: OTHER_RUN });
    const again = await upload({ maxRows: 1 });
    expect(again.map(({ name }) => name)).toEqual(["nightly-2 [1/2]", "nightly-2 [2/2]"]);
    expect(events.filter(({ type }) => type === "name-taken")).toHaveLength(1);
  });

  withUploads("is an error where that is asked for", async ({ write, upload }) => {
    await write({ "results.jsonl": row(1) });
    await upload({ run: OTHER_RUN });
    await expect(upload({ onNameConflict: "fail" })).rejects.toThrow(ExperimentNameTakenError);
  });
});

describe("an upload whose answer is lost", () => {
  test("is found by its mark, and is not made again under another name", async () => {
    const { write, upload, service, get, events, posts } = await uploadRig();
    await write({ "results.jsonl": row(1) });
    service.faults.add({ match: { method: "POST" }, do: { kind: "reset", when: "after" } });
    const [sent] = await upload();
    const stored = await get(`/datasets/${sent?.datasetKey.id ?? ""}/experiments`);
    expect(stored).toMatchObject([
      { id: sent?.id, extra: { metadata: { upload_mark: expect.stringMatching(/^77:[0-9a-f]{32}$/) as string } } },
    ]);
    expect(sent).toMatchObject({ name: "nightly", wasSent: true, datasetKey: { name: "qa-set" } });
    expect([sent?.experiment, sent?.dataset]).toEqual([undefined, undefined]);
    expect(sent?.page).toContain(String(sent?.id));
    expect(posts()).toBe(1);
    expect(events.filter(({ type }) => type === "searched")).toMatchObject([{ name: "nightly" }]);
  });

  test("and that no list shows is red as uncertain, with the parts that are stored", async () => {
    const { write, upload, service, posts, events } = await uploadRig();
    await write({ "results.jsonl": `${row(1)}\n${row(2)}` });
    service.faults.add({ match: { path: /sessions/ }, times: 99, do: { kind: "answer", status: 405 } });
    service.faults.add({ match: { method: "POST" }, skip: 1, do: { kind: "answer", status: 502 } });
    await expect(upload({ maxRows: 1 })).rejects.toThrow(ExperimentUnansweredError);
    expect(posts()).toBe(2);
    expect(events.at(-1)).toMatchObject({
      type: "ended",
      status: "uncertain",
      error: { experimentName: "nightly [2/2]" },
    });
    expect(events.filter(({ type }) => type === "sent")).toHaveLength(1);
  });
});

test(
  "two jobs of a run with equal rows, and other metadata or scores, are two experiments",
  { tags: "slow" },
  async () => {
    const { write, upload } = await uploadRig();
    await write({ "results.jsonl": row(1) });
    const said = [
      { metadata: { model: "small" } },
      { metadata: { model: "large" } },
      { description: "with the new prompt" },
      { summaryScores: [{ key: "cost", value: 20 }] },
      { facts: { job: "another" } },
    ];
    const ids: unknown[] = [];
    for (const each of said) ids.push((await upload(each))[0]?.id);
    expect(new Set(ids).size).toBe(said.length);
    // What names the attempt alone is no difference.
    const later = { run: { id: "77", isRepeated: true }, facts: { job: "another", run_attempt: 2 } };
    const [again] = await upload(later);
    expect(again).toMatchObject({ wasSent: false });
  },
);

describe("a later attempt of a run", () => {
  const again = { run: { id: "77", isRepeated: true } };

  test("sends nothing of what an earlier one has stored, and each part that it has not", async () => {
    const { write, upload, service, posts } = await uploadRig();
    // Without times, which are made up anew each time.
    const timeless = (id: number) => row(id, { start_time: undefined, end_time: undefined });
    await write({ "results.jsonl": [1, 2, 3].map(timeless).join("\n") });
    service.faults.add({ match: { method: "POST" }, skip: 2, do: { kind: "answer", status: 401 } });
    await expect(upload({ maxRows: 1 })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    const sent = await upload({ maxRows: 1, ...again });
    expect(sent.map(({ name, wasSent }) => [name, wasSent])).toEqual([
      ["nightly [1/3]", false],
      ["nightly [2/3]", false],
      ["nightly [3/3]", true],
    ]);
    expect(posts()).toBe(4);
  });

  test("sends other rows, and the same rows to another dataset, under the next name", { tags: "slow" }, async () => {
    const { write, upload } = await uploadRig();
    await write({ "results.jsonl": row(1) });
    await upload();
    await write({ "results.jsonl": row(2) });
    expect((await upload(again))[0]).toMatchObject({ name: "nightly-2", wasSent: true });
    expect((await upload({ ...again, datasetName: "other" }))[0]).toMatchObject({ name: "nightly-3", wasSent: true });
    expect((await upload(again))[0]).toMatchObject({ name: "nightly-2", wasSent: false });
    expect((await upload({ ...again, run: { id: "78", isRepeated: true } }))[0]).toMatchObject({ name: "nightly-4" });
  });
});

describe("an upload that the service refuses", () => {
  test("because of the key has a code of its own", async () => {
    const { write, upload } = await uploadRig({ apiKey: "another key" });
    await write({ "rows.jsonl": row(1) });
    await expect(upload()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("lists the rows where they stand in the files, without their data", async () => {
    const { write, upload, service } = await uploadRig();
    await write({ "a.jsonl": `${row(1)}\n${row(2)}`, "b.jsonl": `${row(3)}\n${row(4)}` });
    const detail = [
      {
        loc: ["body", "results", 3, "start_time"],
        msg: "Input should be a valid datetime",
        type: "x",
        input: "SECRET",
      },
      { loc: ["body", "experiment_name"], msg: "is too long", type: "x", input: "SECRET" },
    ];
    service.faults.add({ match: { method: "POST" }, do: { kind: "answer", status: 422, body: { detail } } });
    const error: unknown = await upload().catch((caught: unknown) => caught);
    if (!(error instanceof ResultsError)) throw error;
    expect(error.message).toBe(
      'The service rejected the experiment "nightly": start_time: Input should be a valid datetime; experiment_name: is too long (422).',
    );
    expect(error.faults).toEqual([
      {
        place: expect.objectContaining({ file: "b.jsonl", line: 2 }),
        message: "start_time: Input should be a valid datetime",
      },
      { place: { file: "experiment" }, message: "experiment_name: is too long" },
    ]);
    expect(JSON.stringify(error)).not.toContain("SECRET");
  });
});

describe("results that are not complete or not right", () => {
  withUploads("are refused in one report, before anything is sent", async ({ write, upload, posts }) => {
    await write({
      "a.jsonl": `${row(1, { evaluation_scores: [{ key: "exact", score: "good" }] })}\n${row(2, { inputs: undefined })}`,
      "b.jsonl": row(3, { start_time: "yesterday" }),
      "c.txt": "no results",
    });
    const faults = await faultsOf(upload({ expectedShards: 4, datasetName: undefined }));
    expect(faults).toEqual([
      "c.txt: could not detect the format: the file is text, but not JSON, CSV or JUnit XML",
      'a.jsonl: the score "exact" is a text, not a number',
      "a.jsonl: inputs is missing",
      "b.jsonl: start_time is a text, not a time; write it as 2026-01-31T09:30:00Z, or as the seconds or milliseconds since 1970",
      "experiment: expected 4 result files, found 3",
      "experiment: neither the request nor the files name a dataset",
    ]);
    expect(posts()).toBe(0);
  });

  withUploads("are refused with a mapping that nobody reads", async ({ write, upload, workspace }) => {
    await write({ "a.json": native({}, [row(1)]) });
    const { files } = await findFiles(["a.json"], workspace);
    const results = { files, format: undefined, mapping: { inputs: "inputs" }, workspace };
    const error: unknown = await upload({ results }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      message: "a.json: the file is read as native, which takes no mapping.",
      advice: expect.stringContaining("csv or jsonl") as string,
    });
  });

  test.each(["expectedShards", "expectedRows"])("are refused with %s that is there and undefined", async (field) => {
    const { write, upload, dryRun, events } = await uploadRig();
    await write({ "a.jsonl": row(1) });
    const lost = { [field]: undefined };
    for (const call of [upload, dryRun]) {
      await expect(call(lost)).rejects.toMatchObject({
        code: "ARGUMENTS",
        faults: [expect.stringContaining(`\`${field}\` is undefined: `)],
      });
    }
    expect(events).toEqual([]);
  });

  withUploads("are refused with too few rows, and with none", async ({ write, upload }) => {
    await write({ "a.jsonl": row(1), "b.json": native({}, []) });
    expect(await faultsOf(upload({ expectedRows: 2 }))).toEqual(["experiment: expected 2 rows, found 1"]);
    expect(await faultsOf(upload({ patterns: ["b.json"] }))).toEqual(["experiment: b.json contains no rows"]);
    await write({ "c.csv": "input,output,exact\n" });
    await expect(upload({ patterns: ["c.csv"] })).rejects.toMatchObject({
      message: "experiment: c.csv contains no rows.",
      advice: expect.stringContaining("the step that writes it") as string,
    });
  });

  withUploads("of two datasets are refused unless the request names one", async ({ write, upload }) => {
    await write({
      "a.json": native({ dataset_name: "a" }, [row(1)]),
      "b.json": native({ dataset_name: "b" }, [row(2)]),
    });
    expect(await faultsOf(upload({ datasetName: undefined }))).toEqual([
      "experiment: the files name more than one dataset",
    ]);
    expect(await upload()).toHaveLength(1);
  });

  withUploads("outside of the window of their file follow the policy", async ({ write, upload }) => {
    const window = { experiment_start_time: "2026-05-04T10:00:01Z", experiment_end_time: "2026-05-04T10:00:02Z" };
    await write({ "a.json": native(window, [row(1), row(5)]) });
    expect(await faultsOf(upload())).toEqual([
      "a.json: end_time 2026-05-04T10:00:06Z is outside the time of the experiment, 2026-05-04T10:00:01Z to 2026-05-04T10:00:02Z",
    ]);
    await expect(upload()).rejects.toMatchObject({
      reasons: ["TIMES_OUTSIDE"],
    });
    expect(await upload({ timePolicy: "expand" })).toHaveLength(1);
    expect(await upload({ timePolicy: "clamp" })).toHaveLength(1);
  });
});

describe("a dry run", () => {
  withUploads("leaves the exact body, and sends nothing", async ({ write, dryRun, upload, service, posts }) => {
    await write({ "results.jsonl": `${row(1)}\n${row(2, { inputs: { n: "N" } })}`.replace('"N"', "9007199254740993") });
    const [path = ""] = await dryRun({ name: "dry" });
    const body = await readFile(path, "utf8");
    expect(posts()).toBe(0);
    expect(body).toContain('"inputs":{"n":9007199254740993}');
    const answer = await fetch(`${service.url}/datasets/upload-experiment`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(200);
    await expect(upload({ name: "dry", onNameConflict: "fail", run: OTHER_RUN })).rejects.toThrow(
      ExperimentNameTakenError,
    );
  });
});

test("a body of many blocks arrives as it is at a server that takes it slowly", { tags: "slow" }, async () => {
  const { write, dryRun, workspace, spoolDirectory } = await uploadRig();
  const text = "x".repeat(20_000);
  const rows = Array.from({ length: 400 }, (_, id) =>
    row(id % 50, { row_id: id % 3 === 0 ? undefined : crypto.randomUUID(), inputs: { id, text } }),
  );
  await write({ "results.jsonl": rows.join("\n") });
  const [path = ""] = await dryRun({ name: "slow" });
  const received = createHash("sha256");
  const server = createServer((request, response) => {
    void (async () => {
      for await (const chunk of request) {
        received.update(chunk as Buffer);
        await sleep(1);
      }
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ experiment: { id: "e" }, dataset: { id: "d", name: "qa-set" } }));
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { files } = await findFiles(["results.jsonl"], workspace);
  await using service = connectUploads({ url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
  const results = { files, format: undefined, mapping: undefined, workspace };
  await uploadResults(
    { ...REQUEST, results, name: "slow" },
    { spoolDirectory, clock: systemClock, signal: AbortSignal.timeout(60_000), emit: () => undefined, ...service },
  );
  const expected = createHash("sha256").update(await readFile(path));
  expect(received.digest("hex")).toBe(expected.digest("hex"));
});

test("a run that is cancelled while it sends names the experiment that may be stored", async () => {
  const { write, upload, service, cancellation, events, spoolDirectory } = await uploadRig();
  await write({ "results.jsonl": row(1) });
  const stalled = service.faults.add({ match: { method: "POST" }, do: { kind: "stall" } });
  const uploading = upload().catch((error: unknown) => error);
  await expect.poll(() => stalled.hits).toBe(1);
  cancellation.abort();
  expect(await uploading).toMatchObject({ message: 'The upload of the experiment "nightly" was cancelled.' });
  expect(events.at(-1)).toMatchObject({ type: "ended", status: "failed" });
  expect(await readdir(join(spoolDirectory))).toEqual([]);
});

const OTHER_RUN = { id: "76", isRepeated: false };
const UUID = "0f84ba2f-b6d8-5970-aec8-a27e6617a463";
