import { readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, zstdCompressSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DataFileError } from "../../../../src/files/json/errors.ts";
import { inspect } from "../../../../src/experiments/formats/inspect/inspect.ts";
import { unpack } from "../../../../src/experiments/formats/shared/zip-file.ts";
import { expectedFiles, expectRows } from "../expected-file.ts";
import { madeZip, type MadeEntry } from "../made-zip.ts";
import { readAll, refusalOf } from "../reading.ts";
import { storedFile, FIXTURES, fixtureFile } from "../stored-file.ts";

const START = {
  name: "_journal/start.json",
  content: '{"version":2,"eval":{"task":"t","model":"m","dataset":{"name":"set"}}}',
};
const sample = (fields: object = {}, id: string | number = 1): MadeEntry => ({
  name: `samples/${id}_epoch_1.json`,
  content: JSON.stringify({ id, epoch: 1, input: "q", target: "a", scores: {}, ...fields }),
});
const zipFile = (...entries: readonly MadeEntry[]) => storedFile(madeZip(entries), "log.eval");
const logFile = (samples: readonly object[]) =>
  storedFile(JSON.stringify({ version: 2, eval: { task: "t", model: "m", dataset: {} }, samples }), "log.json");

test("scores in the metadata of a score are named as not read, and other metadata is not", async () => {
  const scored = (metadata: object) => ({ m: { value: "C", answer: "a", metadata } });
  const plain = {
    id: 1,
    epoch: 1,
    input: "q",
    target: "a",
    scores: scored({ grading: [{ role: "user", content: "q" }] }),
  };
  const { ledger } = await readAll(inspect, logFile([plain]));
  expect({ unread: ledger.unread, scores: ledger.scores }).toEqual({ unread: [], scores: [] });
  const more = { ...plain, id: 2, scores: scored({ parts: [{ name: "brief", score: 0.25 }] }) };
  const { ledger: told } = await readAll(inspect, logFile([plain, more]));
  expect(told.unread).toEqual(["samples.scores.metadata"]);
  expect(told.scores).toEqual(["samples.scores.metadata.parts"]);
});

describe("a log that the tool wrote", () => {
  test.each(expectedFiles("inspect"))("%s has the rows that were worked out", async (name, expected) => {
    const { rows, run, faults, warnings } = await readAll(inspect, fixtureFile(`inspect/${name}`));
    expectRows(rows, expected);
    expect(faults).toEqual([]);
    expect(run).toMatchObject({
      tool: expected.tool,
      toolVersion: expected.version,
      metadata: { status: expected.status },
    });
    expect(warnings).toHaveLength(expected.status === "success" ? 0 : 1);
    for (const [scorer, metrics] of Object.entries(expected.summary ?? {})) {
      for (const [metric, value] of Object.entries(metrics ?? {})) {
        expect(run.summaryScores).toContainEqual({ key: `${scorer}.${metric}`, value });
      }
    }
  });

  test("that was killed has no time where the tool wrote an empty one, and takes when it was made", async () => {
    const { run } = await readAll(inspect, fixtureFile("inspect/old-killed.json"));
    expect(run.times).toMatchObject({ start: "2026-11-21T08:25:22-05:00" });
  });

  test("never has an end, which the tool cuts off to the second before the last sample", async () => {
    const { run, rows } = await readAll(inspect, fixtureFile("inspect/capitals.json"));
    expect(run.times).toEqual({ start: "2026-11-21T13:24:08+00:00", fields: { start: "stats.started_at" } });
    expect(rows[0]?.times).toEqual({
      start: "2026-11-21T13:24:08.845728+00:00",
      end: "2026-11-21T13:24:08.857250+00:00",
      milliseconds: 11,
    });
  });

  test("gives the same inputs in each run, without the ids of messages", async () => {
    const inputs = await Promise.all(
      ["capitals.json", "killed-zstd.eval", "old-killed.json"].map(async (name) => {
        const { rows } = await readAll(inspect, fixtureFile(`inspect/${name}`));
        return rows.find(({ id }) => id === "france")?.inputs;
      }),
    );
    expect(new Set(inputs.map((value) => JSON.stringify(value))).size).toBe(1);
  });
});

describe("a score", () => {
  const scoresOf = async (value: unknown) => {
    const { rows } = await readAll(inspect, logFile([{ id: 1, input: "q", scores: { s: { value } } }]));
    return rows[0]?.scores.map((score) => [score.key, score.value]);
  };

  test.each([
    ["C", 1],
    ["I", 0],
    ["P", 0.5],
    ["N", 0],
    ["yes", 1],
    ["No", 0],
    [true, true],
    [0, 0],
    ["", ""],
    ["0.25", "0.25"],
    [null, null],
  ])("of %j counts as %j", async (value, counted) => {
    expect(await scoresOf(value)).toEqual([["s", counted]]);
  });

  test("of an object or a list is one for each of its values", async () => {
    expect(await scoresOf({ a: "C", b: null })).toEqual([
      ["s.a", 1],
      ["s.b", null],
    ]);
    expect(await scoresOf([1, "I"])).toEqual([
      ["s.0", 1],
      ["s.1", 0],
    ]);
    expect(await scoresOf({})).toEqual([]);
  });

  test("that is a word of its own stays that word, for whoever checks values to refuse", async () => {
    expect(await scoresOf("mostly")).toEqual([["s", "mostly"]]);
  });
});

describe("a sample", () => {
  test("of a question with choices has them among its inputs", async () => {
    const { rows } = await readAll(inspect, logFile([{ id: 1, input: "q", choices: ["x", "y"], target: "B" }]));
    expect(rows[0]).toMatchObject({ inputs: { input: "q", choices: ["x", "y"] }, expected: "B" });
  });

  test("whose answer has parts gives its text, and the parts where the tool wrote no text", async () => {
    const content = [{ type: "text", text: "Paris" }];
    const choices = [{ message: { content } }];
    const { rows } = await readAll(
      inspect,
      logFile([
        { id: 1, input: "q", output: { choices, completion: "Paris" } },
        { id: 2, input: "q", output: { choices } },
        { id: 3, input: "q", output: { choices: [], completion: "" } },
      ]),
    );
    expect(rows.map(({ outputs }) => outputs)).toEqual(["Paris", content, undefined]);
  });

  test("keeps an id that is a number over 2^53", async () => {
    const file = storedFile(
      '{"version":2,"eval":{"task":"t","model":"m","dataset":{}},"samples":[{"id":9007199254740993,"input":"q"}]}',
    );
    expect((await readAll(inspect, file)).rows[0]?.id).toBe("9007199254740993");
  });

  test("that is not what it should be is a fault with its place, and the others are read", async () => {
    const { rows, faults } = await readAll(
      inspect,
      logFile([
        { id: { secret: 1 }, input: "q" },
        { id: 2, input: "q", total_time: "secret" },
        { id: 3, input: "q" },
      ]),
    );
    expect(rows.map(({ id }) => id)).toEqual([3]);
    expect(faults).toEqual([
      "row 1: `samples.0.id` is an object, not a text or a number",
      "row 2: `samples.1.total_time` is a text, not a number",
    ]);
  });

  test("with a key __proto__ is a sample like any other", async () => {
    const file = storedFile(
      '{"version":2,"eval":{"task":"t","model":"m","dataset":{}},"samples":[' +
        '{"id":1,"input":[{"id":"x","__proto__":{"role":"r"}}],"__proto__":{"error":{"message":"no"}},' +
        '"scores":{"__proto__":{"value":1}}}]}',
    );
    const [row] = (await readAll(inspect, file)).rows;
    expect(row?.error).toBeUndefined();
    expect(JSON.stringify(row?.inputs)).toBe('[{"__proto__":{"role":"r"}}]');
    expect(row?.scores).toEqual([{ key: "__proto__", value: 1, comment: undefined }]);
  });

  test(
    "over 32 MiB is read without its events, and a fault when these are not what is large",
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

  test("that is no JSON is a fault of its own, and the others are read", async () => {
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
});

describe("a zip that is not what it should be", () => {
  const names = [
    "../outside.json",
    "/etc/passwd",
    "C:\\windows",
    "samples/../../x.json",
    "samples\\..\\..\\x.json",
    "a\u0000b",
  ];
  test.each(names)("is refused for an entry %j", async (name) => {
    expect(await refusalOf(inspect, zipFile(START, { name, content: "{}" }))).toBe(
      `log.eval: the entry \`${name.replace("\0", " ")}\` of the zip: its name points outside the zip.`,
    );
  });

  test.each<readonly [string, MadeEntry, string]>([
    ["is encrypted", { ...sample(), flags: 0x801 }, ": it is encrypted"],
    ["is larger than the directory says", { ...sample(), size: 10 }, " unpacks to more than the zip's directory says"],
    ["is larger, in zstd", { ...sample(), method: 93, size: 10 }, " unpacks to more than the zip's directory says"],
    [
      "is larger, and not packed",
      { ...sample(), method: 0, size: 10 },
      " unpacks to more than the zip's directory says",
    ],
    [
      "is smaller than the directory says",
      { ...sample(), size: 1000 },
      " unpacks to less than the zip's directory says",
    ],
    ["is smaller, in zstd", { ...sample(), method: 93, size: 1000 }, " unpacks to less than the zip's directory says"],
    ["says 0 bytes", { ...sample(), size: 0 }, " unpacks to more than the zip's directory says"],
    ["has a wrong checksum", { ...sample(), checksum: 1 }, " is damaged: its checksum does not match"],
    ["is no deflate", { ...sample(), packed: Buffer.from("ffffffff", "hex") }, " is damaged and cannot be unpacked"],
    ["is no zstd", { ...sample(), method: 93, packed: Buffer.from("nonsense") }, " is damaged and cannot be unpacked"],
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

test("a log in JSON without samples is refused", async () => {
  const file = storedFile('{"version":2,"eval":{"task":"t","model":"m","dataset":{}}}', "log.json");
  expect(await refusalOf(inspect, file)).toBe("log.json: there is no list `samples`.");
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

test.each(["", [], [""]])("an empty target is no expected output: %j", async (target) => {
  const { rows } = await readAll(
    inspect,
    logFile([
      { id: 1, input: "q", target },
      { id: 2, input: "r", target: "a" },
    ]),
  );
  expect(rows.map(({ expected }) => expected)).toEqual([undefined, "a"]);
});
