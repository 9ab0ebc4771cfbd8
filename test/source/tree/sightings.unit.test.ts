import { lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Sightings } from "../../../src/source/tree/sightings.ts";

const { signal } = new AbortController();
const LATER = Date.now() + 3_600_000;

function folderOf(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "sightings-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const name of names) writeFileSync(join(folder, name), name);
  return folder;
}

function seen(folder: string, names: readonly string[], settled = LATER): Sightings {
  const sightings = new Sightings(settled);
  for (const name of names) sightings.add(join(folder, name), lstatSync(join(folder, name)));
  return sightings;
}

test("hold while nothing happens, and no longer than that", async () => {
  const folder = folderOf("a", "b");
  const sightings = seen(folder, ["a", "b"]);
  expect(await sightings.hold(signal)).toBe(true);
  writeFileSync(join(folder, "b"), "longer");
  expect(await sightings.hold(signal)).toBe(false);
  expect(await seen(folder, ["a"]).hold(signal)).toBe(true);
  rmSync(join(folder, "a"));
  expect(await seen(folder, ["b"]).hold(signal)).toBe(true);
  expect(await sightings.hold(signal)).toBe(false);
});

test("of what changed a moment ago never hold: it may have changed again without a trace", async () => {
  const folder = folderOf("a");
  expect(await seen(folder, ["a"], 0).hold(signal)).toBe(false);
  expect(seen(folder, ["a"]).equals(seen(folder, ["a"], 0))).toBe(false);
});

test("are equal for the same paths in any order, and for no others", () => {
  const folder = folderOf("a", "b", "c");
  expect(seen(folder, ["b", "a"]).equals(seen(folder, ["a", "b"]))).toBe(true);
  expect(seen(folder, ["a", "c"]).equals(seen(folder, ["a", "b"]))).toBe(false);
  expect(seen(folder, ["a"]).equals(seen(folder, ["a", "b"]))).toBe(false);
});

test("end with the signal", async () => {
  await expect(seen(folderOf("a"), ["a"]).hold(AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
});
