import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { removeSpool, SpoolFile } from "../../src/files/spool.ts";

function spoolIn(name = "body.json"): SpoolFile {
  const directory = mkdtempSync(join(tmpdir(), "spool-test-"));
  const spool = new SpoolFile(directory, name);
  onTestFinished(() => {
    spool.discard();
    rmSync(directory, { recursive: true, force: true });
  });
  return spool;
}

test("a spool file is in a new directory, and for its owner alone", () => {
  const spool = spoolIn();
  spool.write(Buffer.from("abc"));
  spool.write(Buffer.from("de"));
  expect([readFileSync(spool.path, "utf8"), spool.bytes]).toEqual(["abcde", 5]);
  if (process.platform !== "win32") expect(statSync(spool.path).mode & 0o777).toBe(0o600);
});

test("what is written at a place is read from there, as far as there is something", () => {
  const spool = spoolIn();
  spool.writeAt(Buffer.from("world"), 5);
  spool.writeAt(Buffer.from("hello"), 0);
  const into = Buffer.alloc(8);
  expect([spool.readAt(into, 3), into.toString("utf8", 0, 7)]).toEqual([7, "loworld"]);
  expect(spool.readAt(into, 10)).toBe(0);
});

test("a closed file takes no more, and a discarded one leaves nothing", async () => {
  const spool = spoolIn();
  spool.close();
  spool.close();
  expect(() => {
    spool.write(Buffer.from("x"));
  }).toThrow("is closed");
  await removeSpool(spool.path);
  expect(existsSync(dirname(spool.path))).toBe(false);
  spool.discard();
});

test("a directory that cannot be written to is named", () => {
  expect(() => new SpoolFile("/no/such/directory", "body.json")).toThrow(/\/no\/such\/directory: .*\(ENOENT\)/);
});
