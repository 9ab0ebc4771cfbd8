import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { UnsentFileError } from "../../../src/tracing/client/errors.ts";
import { HttpStatusError } from "../../../src/http/errors.ts";
import { BatchWriter, type RunBatch } from "../../../src/tracing/ingest/run-batch.ts";
import { RunLedger, type UnsentRuns } from "../../../src/tracing/ingest/run-ledger.ts";
import { runOperation } from "../../../src/tracing/ingest/run-queue.ts";

const [A, B] = ["0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b", "1193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b"];
const REFUSED = new HttpStatusError(422, ["too long"], { target: "POST /x" });

/** A run and an addition to another. */
const batch = (): RunBatch =>
  new BatchWriter("b0undary").write([
    runOperation("post", { id: A, inputs: { q: 1 } }),
    runOperation("patch", { id: B, error: "e" }),
  ]);

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "ledger-"));
  onTestFinished(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return path;
}

const linesOf = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line));

test("accepted and stored runs are counted without the additions to them", () => {
  const ledger = new RunLedger({});
  ledger.accept(runOperation("post", { id: A }));
  ledger.accept(runOperation("patch", { id: A }));
  ledger.onStored(batch());
  expect(ledger.counts).toEqual({ accepted: 1, stored: 1, dropped: 0, rejected: 0, unsent: 0 });
});

test("the end of a dropped run is known once", () => {
  const ledger = new RunLedger({});
  ledger.drop(A);
  expect([ledger.wasDropped(A), ledger.wasDropped(A), ledger.wasDropped(B), ledger.counts.dropped]).toEqual([
    ...[true, false, false],
    1,
  ]);
});

test("what is unsent or rejected is kept in one file for its owner alone, and reported", async () => {
  const unsentFile = join(folder(), "unsent.jsonl");
  const reports: unknown[] = [];
  const ledger = new RunLedger({
    unsentFile,
    onRejected: (run) => reports.push(run),
    onUnsent: (runs) => reports.push(runs),
  });
  const error = new Error("down");
  ledger.onRejected(batch(), REFUSED);
  ledger.onUnsent(batch(), error);
  await ledger.settled();
  const runs = [
    { event: "post", id: A },
    { event: "patch", id: B },
  ];
  expect(reports).toEqual([...runs.map((run) => ({ ...run, reason: "too long" })), { runs, error, file: unsentFile }]);
  const kept = [
    { id: A, inputs: { q: 1 } },
    { event: "patch", id: B, error: "e" },
  ];
  expect(linesOf(unsentFile)).toEqual([...kept, ...kept]);
  expect(ledger.counts).toMatchObject({ rejected: 2, unsent: 2 });
  if (process.platform !== "win32") expect(statSync(unsentFile).mode & 0o777).toBe(0o600);
});

test("a file that cannot be written is reported in place of the runs' error, and names no file", async () => {
  const reports: UnsentRuns[] = [];
  const ledger = new RunLedger({ unsentFile: folder(), onUnsent: (runs) => reports.push(runs) });
  ledger.onUnsent(batch(), new Error("down"));
  await ledger.settled();
  expect(reports).toMatchObject([{ error: expect.any(UnsentFileError), file: undefined }]);
});

test("a listener that throws does not lose the runs behind it", async () => {
  const unsentFile = join(folder(), "unsent.jsonl");
  const fails = () => {
    throw new Error("listener");
  };
  const ledger = new RunLedger({ unsentFile, onRejected: fails, onUnsent: fails });
  ledger.onRejected(batch(), REFUSED);
  ledger.onUnsent(batch(), new Error("down"));
  await ledger.settled();
  expect(linesOf(unsentFile)).toHaveLength(4);
});
