import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LineLog } from "../../src/files/line-log.ts";

function place(): string {
  const directory = mkdtempSync(join(tmpdir(), "graph-deploy-lines-"));
  onTestFinished(() => {
    rmSync(directory, { recursive: true });
  });
  return join(directory, "lines");
}

test("a log that is cut goes on behind the cut", () => {
  const path = place();
  using log = new LineLog(path);
  const first = log.append("one");
  log.append("two");
  log.cut(first.offset + first.bytes + 1);
  const third = log.append("three");
  expect([readFileSync(path, "utf8"), log.read(third)]).toEqual(["one\nthree\n", "three"]);
});

test("a log with nothing to cut is not touched", () => {
  const path = place();
  using log = new LineLog(path);
  log.append("one");
  utimesSync(path, 1, 1);
  log.cut(log.bytes);
  expect(statSync(path).mtimeMs).toBe(1_000);
});
