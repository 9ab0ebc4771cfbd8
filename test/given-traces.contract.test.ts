import { mkdtemp, readFile, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectTracing, uploadTraces } from "../src/index.ts";
import { startLocalService } from "../src/local/index.ts";
import { findFiles } from "../src/experiments/index.ts";
import { uploadTraces as ofItsEntry } from "../src/traces.ts";
import { linesOf, run } from "./trace-files/read-files.ts";
import { writeFiles } from "./write-files.ts";

async function world() {
  const service = await startLocalService();
  const directory = await realpath(await mkdtemp(join(tmpdir(), "graph-deploy-traces-")));
  const before = process.cwd();
  process.chdir(directory);
  await writeFiles(directory, { "out/runs.jsonl": linesOf([run(1), run(2)]) });
  onTestFinished(async () => {
    process.chdir(before);
    vi.unstubAllEnvs();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  });
  return { service, directory, url: service.url };
}

test("files are uploaded by their paths, and all else has a default", async () => {
  const { url, directory } = await world();
  expect(ofItsEntry).toBe(uploadTraces);
  vi.stubEnv("GRAPH_DEPLOY_BASE_URL", url);
  expect(await uploadTraces({ files: "out/*.jsonl", sessionName: "tests" })).toMatchObject({ counts: { stored: 2 } });
  // From anywhere, and again.
  process.chdir(tmpdir());
  const files = [join(directory, "out/runs.jsonl")];
  expect(await uploadTraces({ files, sessionName: "tests" }, { url })).toMatchObject({ counts: { stored: 2 } });
  expect(await readdir(directory)).toEqual(["out"]);
});

test("files that were found are uploaded with the client of the caller alone", async () => {
  const { url, directory } = await world();
  const service = connectTracing({ url });
  onTestFinished(() => service.close());
  const { files } = await findFiles(["**/*.jsonl"], directory);
  expect(await uploadTraces({ files, sessionName: "tests" }, service)).toMatchObject({ counts: { stored: 2 } });
});

test.each<[string, readonly unknown[], readonly unknown[]]>([
  ["nothing", [], ["the first argument must be an object", "`files` is missing"]],
  [
    "null",
    [null, null],
    ["the first argument must be an object", "the second argument must be an object", "`files` is missing"],
  ],
  ["no files", [{ files: [] }], ["`files` is empty"]],
  [
    "wrong kinds",
    [{ files: 7, format: "csv", sessionName: "" }],
    ["`files` must be a path or a glob, or a list of them", "`format` must be jsonl or otlp", "`sessionName` is empty"],
  ],
  [
    "a path that leads nowhere",
    [{ files: "out/none.jsonl" }],
    [expect.stringMatching(/^`files`: out\/none\.jsonl matches no file/)],
  ],
  [
    "a client that is none",
    [{ files: "a" }, { tracing: {} }],
    ["`files` must be a list of files", "`tracing` must be a Tracing, as connectTracing returns it"],
  ],
])("a call with %s is an error of its arguments", async (_what, given, faults) => {
  const { url } = await world();
  vi.stubEnv("GRAPH_DEPLOY_BASE_URL", url);
  const call = Reflect.apply(uploadTraces, undefined, given) as Promise<unknown>;
  await expect(call).rejects.toMatchObject({ code: "ARGUMENTS", faults });
});

test("runs that the service rejects are kept where they are wanted", async () => {
  const { url, directory } = await world();
  const rejected = run(3, { end_time: "2026-05-04T08:59:59.999Z" });
  await writeFiles(directory, { "kept/none": "", "bad.jsonl": linesOf([run(1), rejected]) });
  const kept = join(directory, "kept");
  const call = uploadTraces({ files: ["bad.jsonl"], sessionName: "tests", unsentDirectory: kept }, { url });
  const advice = expect.stringContaining(kept) as string;
  await expect(call).rejects.toMatchObject({ code: "RUNS_NOT_STORED", count: 1, advice });
  const [unsent = "", ...others] = (await readdir(kept)).filter((name) => name !== "none");
  expect(others).toEqual([]);
  expect(JSON.parse(await readFile(join(kept, unsent, "runs.jsonl"), "utf8"))).toMatchObject({ id: rejected.id });
});

test("nothing is kept where no run is stored", async () => {
  const { url, directory } = await world();
  await writeFiles(directory, { "kept/none": "" });
  const unsentDirectory = join(directory, "kept");
  const call = uploadTraces(
    { files: "out/runs.jsonl", sessionName: "tests", unsentDirectory },
    { url: `${url}/nothing-here` },
  );
  await expect(call).rejects.toMatchObject({ code: "HTTP_STATUS" });
  expect(await readdir(unsentDirectory)).toEqual(["none"]);
});
