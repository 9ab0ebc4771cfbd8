import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { inspect } from "../../../../src/experiments/formats/inspect/inspect.ts";
import { unpack } from "../../../../src/experiments/formats/shared/zip-file.ts";
import { madeZip, type MadeEntry } from "../made-zip.ts";
import { readAll, refusalOf } from "../reading.ts";
import { storedFile, FIXTURES } from "../stored-file.ts";

const START = {
  name: "_journal/start.json",
  content: '{"version":2,"eval":{"task":"t","model":"m","dataset":{"name":"set"}}}',
};
const sample = (fields: object = {}): MadeEntry => ({
  name: "samples/1_epoch_1.json",
  content: JSON.stringify({ id: 1, epoch: 1, input: "q", target: "a", scores: {}, ...fields }),
});
const zipFile = (...entries: readonly MadeEntry[]) => storedFile(madeZip(entries), "log.eval");

test(
  "a sample over 32 MiB is read without its events, and a fault when these are not what is large",
  { tags: "slow" },
  async () => {
    const large = "x".repeat(33 * 1024 * 1024);
    const { rows } = await readAll(inspect, zipFile(START, sample({ events: [large], metadata: { a: 1 } })));
    expect(rows).toMatchObject([{ id: 1, inputs: "q", metadata: { a: 1 } }]);
    expect((await readAll(inspect, zipFile(START, sample({ store: { large } })))).faults).toEqual([
      "-: the entry `samples/1_epoch_1.json` of the zip: a sample is larger than 32 MiB and has no list `events`",
    ]);
  },
);

test("a sample that is no JSON is a fault of its own, and the others are read", async () => {
  const names = ["samples/1.json", "samples/2.json", "samples/3.json"];
  const contents = ['{"id":', '{"id":2,"epoch":1,"input":"\\ud800"}', '{"id":3,"epoch":1,"input":"q"}'];
  const entries = names.map((name, index) => ({ name, content: contents[index] ?? "" }));
  const { rows, faults } = await readAll(inspect, zipFile(START, ...entries));
  expect(rows.map(({ id, place }) => [id, place.row])).toEqual([
    [2, 2],
    [3, 3],
  ]);
  expect(faults).toEqual(["-: the entry `samples/1.json` of the zip: the file ends in the middle of its JSON"]);
});

describe("a zip that is not what it should be", () => {
  const outside = ["../outside.json", "/etc/passwd", "C:\\windows", "samples/../../x.json", "samples\\..\\..\\x.json"];
  test.each([...outside, "a\0b"])("is refused for an entry %j", async (name) => {
    expect(await refusalOf(inspect, zipFile(START, { name, content: "{}" }))).toBe(
      `log.eval: the entry \`${name.replace("\0", " ")}\` of the zip: its name points outside the zip.`,
    );
  });

  const more = " unpacks to more than the zip's directory says";
  const less = " unpacks to less than the zip's directory says";
  const damaged = " is damaged and cannot be unpacked";
  test.each<readonly [string, MadeEntry, string]>([
    ["is encrypted", { ...sample(), flags: 0x801 }, ": it is encrypted"],
    ["is larger than the directory says", { ...sample(), size: 10 }, more],
    ["is larger, in zstd", { ...sample(), method: 93, size: 10 }, more],
    ["is larger, and not packed", { ...sample(), method: 0, size: 10 }, more],
    ["is smaller than the directory says", { ...sample(), size: 1000 }, less],
    ["is smaller, in zstd", { ...sample(), method: 93, size: 1000 }, less],
    ["says 0 bytes", { ...sample(), size: 0 }, more],
    ["has a wrong checksum", { ...sample(), checksum: 1 }, " is damaged: its checksum does not match"],
    ["is no deflate", { ...sample(), packed: Buffer.from("ffffffff", "hex") }, damaged],
    ["is no zstd", { ...sample(), method: 93, packed: Buffer.from("nonsense") }, damaged],
    [
      "is packed by another method",
      { ...sample(), method: 12 },
      " uses compression method 12; only deflate and zstd are supported",
    ],
    ["unpacks to 4 GB", { ...sample(), size: 0xfffffffe }, ": it unpacks to more than 268 MB"],
    [
      "takes more than the file",
      { ...sample(), packedSize: 1_000_000 },
      ": the entries overlap: up to this one they take more than the whole file",
    ],
    ["of the run is no JSON", { name: "header.json", content: "{" }, ": the file ends in the middle of its JSON"],
  ])("is refused where an entry %s", async (_, entry, fault) => {
    expect(await refusalOf(inspect, zipFile(START, entry))).toBe(
      `log.eval: the entry \`${entry.name}\` of the zip${fault}.`,
    );
  });

  test("is refused as encrypted where the directory itself says so", async () => {
    expect(await refusalOf(inspect, zipFile(START, { ...sample(), flags: 0x841 }))).toBe(
      "log.eval: the zip is encrypted.",
    );
  });

  test("is refused for entries that overlap, before they are unpacked over and over", async () => {
    const first = { ...sample({ metadata: { text: "x".repeat(8192) } }), method: 0 };
    const zip = madeZip([first, ...Array.from({ length: 50 }, () => ({ ...first, offset: 0 }))]);
    expect(await refusalOf(inspect, storedFile(zip, "log.eval"))).toBe(
      "log.eval: the entry `samples/1_epoch_1.json` of the zip: the entries overlap: up to this one they take more than the whole file.",
    );
  });

  test("is refused as a bomb where it unpacks to far more than it is", async () => {
    // Entries that nobody wants count, too: a bomb is reported by its directory.
    const packed = zstdCompressSync(Buffer.alloc(1));
    const entries = Array.from({ length: 5 }, (_, index) => ({
      name: `store/${index}`,
      content: "",
      method: 93,
      packed,
      size: 0x0fffffff,
    }));
    expect(await refusalOf(inspect, zipFile(START, ...entries))).toBe(
      "log.eval: the entry `store/3` of the zip: the entries up to it unpack to more than 200 times the file, as a zip bomb does.",
    );
  });

  test("is refused when it has many zstd frames of nothing", async () => {
    const packed = Buffer.concat(Array.from({ length: 1000 }, () => zstdCompressSync(Buffer.alloc(0))));
    expect(await refusalOf(inspect, zipFile(START, { ...sample(), method: 93, packed }))).toMatch(
      "more than 64 zstd frames",
    );
  });

  test("is refused without a log in it", async () => {
    expect(await refusalOf(inspect, zipFile(sample()))).toBe(
      "log.eval: the zip has neither header.json nor _journal/start.json.",
    );
  });

  test.each(["capitals-zstd.eval", "old-capitals-deflate.eval"])("is refused when %s is cut anywhere", async (name) => {
    const whole = readFileSync(join(FIXTURES, "inspect", name));
    for (const length of [4, 100, 10_000, whole.length - 1000, whole.length - 22, whole.length - 1]) {
      expect(await refusalOf(inspect, storedFile(whole.subarray(0, length), "log.eval"))).toBe(
        "log.eval: the zip has no directory at its end, as if the file were cut off.",
      );
    }
  });

  test("with any byte changed is read or refused, and nothing else", { tags: "slow" }, async () => {
    const whole = readFileSync(join(FIXTURES, "inspect/stopped-zstd.eval"));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const changed = Buffer.from(whole);
        changed.writeUInt8((changed.readUInt8(at) + by) % 256, at);
        try {
          await refusalOf(inspect, storedFile(changed, "log.eval"));
        } catch (error) {
          // Two bytes make a file look like UTF-16, which is refused before it is read.
          if (!(error instanceof DataFileError)) expect(error).toEqual(new Error("the file was read"));
        }
      }),
    );
  });
});

test("a log whose header comes first in the zip is read by its header", async () => {
  const header = { name: "header.json", content: '{"status":"success","eval":{"task":"t"}}' };
  const { run, warnings } = await readAll(inspect, zipFile(header, START, sample()));
  expect(run.metadata).toMatchObject({ status: "success" });
  expect(warnings).toEqual([]);
});

test("what is packed in any number of zstd frames comes out whole", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 20 }), (parts) => {
      const bytes = Buffer.concat(parts);
      const packed = Buffer.concat(parts.map((part) => zstdCompressSync(part)));
      const entry = { method: 93, size: bytes.length, checksum: crc32(bytes) };
      expect(unpack(packed, entry).equals(bytes)).toBe(true);
      if (parts.some((part) => part.length > 0)) expect(() => unpack(packed.subarray(0, -1), entry)).toThrow();
    }),
  );
});
