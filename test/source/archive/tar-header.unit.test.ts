import fc from "fast-check";
import { propertyRuns } from "../../property-runs.ts";
import { list } from "tar";
import { describe, expect, test } from "vitest";
import type { SourceEntry } from "../../../src/source/entry/entry.ts";
import { writeOrdinaryHeader, tarHeader } from "../../../src/source/archive/tar-header.ts";

/** Reads a ustar header by POSIX's table of fields, without any library. */
function readUstar(block: Buffer) {
  const text = (from: number, length: number) => {
    const field = block.subarray(from, from + length);
    const end = field.indexOf(0);
    return field.toString("utf8", 0, end === -1 ? length : end);
  };
  const octal = (from: number, length: number) => Number.parseInt(text(from, length).trim(), 8);
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  const prefix = text(345, 155);
  return {
    name: prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    mode: octal(100, 8),
    owner: [octal(108, 8), octal(116, 8), text(265, 32), text(297, 32)],
    size: octal(124, 12),
    mtime: octal(136, 12),
    type: text(156, 1),
    target: text(157, 100),
    magic: block.toString("latin1", 257, 265),
    isIntact: sum === octal(148, 8),
  };
}

/** The records of a PAX header by their lengths, as POSIX has it: a value may hold a newline. */
function readPax(body: Buffer): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < body.length && body[at] !== 0;) {
    const space = body.indexOf(" ", at);
    const length = Number(body.toString("latin1", at, space));
    const [key = "", ...value] = body.toString("utf8", space + 1, at + length - 1).split("=");
    records[key] = value.join("=");
    expect(body[at + length - 1]).toBe(10);
    at += length;
  }
  return records;
}

/** What a reader of tar makes of the bytes. */
function readBack(bytes: Buffer) {
  const first = readUstar(bytes.subarray(0, 512));
  expect(first).toMatchObject({ owner: [0, 0, "", ""], mtime: 0, magic: "ustar\u000000", isIntact: true });
  if (first.type !== "x") return { ...first, isPax: false };
  const second = readUstar(bytes.subarray(-512));
  expect(second).toMatchObject({ owner: [0, 0, "", ""], mtime: 0, magic: "ustar\u000000", isIntact: true });
  expect(bytes.length).toBe(1024 + Math.ceil(first.size / 512) * 512);
  const { path, linkpath, size, ...rest } = readPax(bytes.subarray(512, 512 + first.size));
  expect(rest).toEqual({});
  return {
    ...second,
    name: path ?? second.name,
    target: linkpath ?? second.target,
    size: size === undefined ? second.size : Number(size),
    isPax: true,
  };
}

/** What nearly all files of a source are. */
function isOrdinary({ path, type, size }: SourceEntry): boolean {
  return (
    type === "file" &&
    path.length < 100 &&
    size < 2 ** 30 &&
    Buffer.from(path).every((byte) => byte >= 0x20 && byte <= 0x7e)
  );
}

const letter = fc.constantFrom(
  "a",
  "b",
  "Z",
  "0",
  ".",
  "-",
  " ",
  "é",
  "日",
  "\u{1F600}",
  "\\",
  "\n",
  "=",
  "@",
  "e\u0301",
);
const name = fc
  .array(letter, { minLength: 1, maxLength: 120 })
  .map((letters) => letters.join(""))
  .filter((text) => text !== "." && text !== "..");
const plainName = fc.integer({ min: 1, max: 120 }).map((length) => "n".repeat(length));
const path = fc.array(fc.oneof(name, plainName), { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

const entry: fc.Arbitrary<SourceEntry> = fc.oneof(
  fc.record({
    path,
    type: fc.constant("file" as const),
    size: fc.oneof(fc.nat(), fc.constantFrom(0, 0o77777777777, 0o77777777777 + 1, 2 ** 40)),
    mode: fc.constantFrom(0o644 as const, 0o755 as const),
  }),
  fc.record({
    path,
    type: fc.constant("symlink" as const),
    size: fc.constant(0),
    mode: fc.constant(0o755 as const),
    target: path,
  }),
);

describe("a header", () => {
  test("reads back as what it was made of, whatever the name", () => {
    fc.assert(
      fc.property(entry, (made) => {
        const bytes = tarHeader(made);
        const { name, size, mode, type, target } = readBack(bytes);
        expect({ name, size, mode }).toEqual({ name: made.path, size: made.size, mode: made.mode });
        expect(type).toBe(made.type === "file" ? "0" : "2");
        expect(target).toBe(made.target ?? "");
      }),
    );
  });

  test("reads back with tar's own reader", async () => {
    // That reader takes a PAX header apart by its lines.
    const oneLine = entry.filter(({ path, target }) => !`${path}${target ?? ""}`.includes("\n"));
    await fc.assert(
      fc.asyncProperty(fc.array(oneLine, { minLength: 1, maxLength: 20 }), async (made) => {
        const entries = made.map((each) => ({ ...each, size: 0 }));
        const found: unknown[] = [];
        const reader = list({
          onReadEntry: ({ path, linkpath, mode, size }) => found.push({ path, linkpath: linkpath ?? "", mode, size }),
        });
        const ended = new Promise((resolve) => reader.on("end", resolve));
        reader.end(Buffer.concat([...entries.map(tarHeader), Buffer.alloc(1024)]));
        await ended;
        expect(found).toEqual(
          entries.map(({ path, target, mode, size }) => ({ path, linkpath: target ?? "", mode, size })),
        );
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });

  test("that is ordinary has the bytes that tar's own class writes, and nothing around it is touched", () => {
    const ascii = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 110 });
    const file = fc.record({
      path: fc.oneof(path, ascii),
      type: fc.constant("file" as const),
      size: fc.oneof(fc.nat(), fc.constantFrom(0, 7, 8, 8 ** 10 - 1, 8 ** 10, 8 ** 11)),
      mode: fc.constantFrom(0o644 as const, 0o755 as const),
    });
    let ordinary = 0;
    fc.assert(
      fc.property(fc.oneof(file, file, entry), fc.constantFrom(0, 512, 1024), (made, at) => {
        const block = Buffer.alloc(1536, 0xa5);
        const expected = Buffer.from(block);
        const isWritten = writeOrdinaryHeader(made, block, at);
        if (isWritten) tarHeader(made).copy(expected, at);
        else block.copy(expected, at, at, at + 512);
        expect(block.equals(expected)).toBe(true);
        expect(isWritten).toBe(isOrdinary(made));
        ordinary += Number(isWritten);
      }),
    );
    expect(ordinary).toBeGreaterThan(0);
  });

  test.each([
    ["a short name", "lib/agent.py", false],
    ["a name of 99 bytes", "n".repeat(99), false],
    ["a name of 100 bytes in a folder", `d/${"n".repeat(100)}`, false],
    ["a path of 255 bytes that splits", `${"d".repeat(154)}/${"n".repeat(100)}`, false],
    ["a short name with a newline", "a\nb", false],
    ["a name of 100 bytes alone", "n".repeat(100), true],
    ["a name of 101 bytes", "n".repeat(101), true],
    ["a folder of 156 bytes", `${"d".repeat(156)}/n`, true],
    ["a name that is not ASCII", "é", true],
  ])("%s: PAX only when ustar cannot hold it", (_, made, isPax) => {
    expect(readBack(tarHeader({ path: made, type: "file", size: 1, mode: 0o644 }))).toMatchObject({
      name: made,
      isPax,
    });
  });

  test("a file of 8 GiB keeps its size", () => {
    expect(readBack(tarHeader({ path: "a", type: "file", size: 2 ** 33, mode: 0o644 }))).toMatchObject({
      size: 2 ** 33,
    });
  });
});
