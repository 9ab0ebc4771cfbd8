import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { writeWholeFile } from "../../src/files/whole-file.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "graph-deploy-whole-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

it("writes all parts, in the directories that are missing, and leaves nothing else there", () => {
  const file = join(directory, "a", "b", "file.txt");
  const parts = Array.from({ length: 300 }, (_, at) => `${String(at)}-${"é".repeat(2_000)}\n`);
  writeWholeFile(file, parts, { mode: 0o600, directoryMode: 0o700 });
  expect(readFileSync(file, "utf8")).toBe(parts.join(""));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, "a")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(file, ".."))).toEqual(["file.txt"]);
});

it("keeps the file that was there, and no half of the new one, where the parts cannot be made", () => {
  const file = join(directory, "file.txt");
  writeFileSync(file, "before");
  const broken = function* () {
    yield "x".repeat(1_000_000);
    throw new Error("no more");
  };
  expect(() => {
    writeWholeFile(file, broken());
  }).toThrow("no more");
  expect(readFileSync(file, "utf8")).toBe("before");
  expect(readdirSync(directory)).toEqual(["file.txt"]);
});

it("throws the error of the file system where a directory has the name", () => {
  mkdirSync(join(directory, "taken"));
  expect(() => {
    writeWholeFile(join(directory, "taken"), ["new"]);
  }).toThrow("EISDIR");
  expect(readdirSync(directory)).toEqual(["taken"]);
});

it("replaces a link, and leaves the file behind it", () => {
  writeFileSync(join(directory, "target"), "before");
  symlinkSync("target", join(directory, "link"));
  writeWholeFile(join(directory, "link"), ["new"]);
  expect(readFileSync(join(directory, "target"), "utf8")).toBe("before");
  expect(readFileSync(join(directory, "link"), "utf8")).toBe("new");
});
