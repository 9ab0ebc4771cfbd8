import { describe, expect, test } from "vitest";
import { isZip, zipEntries } from "../../../../src/experiments/formats/shared/zip-file.ts";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { madeZip, type MadeEntry } from "../made-zip.ts";
import { storedFile } from "../stored-file.ts";

async function entriesOf(bytes: Buffer, isWanted: (name: string) => boolean = () => true) {
  const entries: (readonly [name: string, text: string])[] = [];
  for await (const { name, bytes: content } of zipEntries(storedFile(bytes, "r.zip"), isWanted)) {
    entries.push([name, content.toString()]);
  }
  return entries;
}

const file = (name: string, more: Partial<MadeEntry> = {}): MadeEntry => ({ name, content: `of ${name}`, ...more });

describe("a zip", () => {
  test("is known by how it begins", () => {
    expect([madeZip([file("a")]), madeZip([]), Buffer.from("PK"), Buffer.from("{}")].map(isZip)).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  test("gives the entries that are wanted, in their order, stored and deflated", async () => {
    const zip = madeZip([file("b.json"), file("skip"), file("a.json", { method: 0 })]);
    expect(await entriesOf(zip, (name) => name.endsWith(".json"))).toEqual([
      ["b.json", "of b.json"],
      ["a.json", "of a.json"],
    ]);
  });

  // Through the format that reads zips, test/experiments/formats/inspect has what else is refused.
  test("that unpacks to far more than its size is refused by its name", { tags: "slow" }, async () => {
    const made = madeZip([file("a", { content: Buffer.alloc(300 * 1024 * 1024) })]);
    const error: unknown = await entriesOf(made).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DataFileError);
    expect(String(error)).toContain("r.zip");
  });
});
