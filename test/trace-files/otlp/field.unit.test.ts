import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../property-runs.ts";
import { linesOf, readFiles } from "../read-files.ts";
import { event, request, span, spanId, TRACE } from "./spans.ts";

const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const ID = /^[\da-f]{16}(?:[\da-f]{16})?$/;

/** How a document is written. */
interface Encoding {
  /** For each key that has two spellings, whether it is written in snake_case. */
  readonly isSnake: (key: string) => boolean;
  readonly writeId: (hex: string) => string;
  readonly areNumbersPlain: boolean;
}

/** The same document in another encoding: only what stands for the fields of OTLP changes. */
function encoded(value: unknown, encoding: Encoding): unknown {
  if (Array.isArray(value)) return value.map((item) => encoded(item, encoding));
  if (typeof value !== "object" || value === null) return value;
  const { isSnake, writeId, areNumbersPlain } = encoding;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => {
      const isId = /^(?:traceId|spanId|parentSpanId)$/.test(key) && typeof item === "string" && ID.test(item);
      const isNumber = key === "intValue" && typeof item === "string" && areNumbersPlain;
      const written = isId ? writeId(item) : isNumber ? Number(item) : encoded(item, encoding);
      return [isSnake(key) ? snake(key) : key, written];
    }),
  );
}

const IDS: readonly ((hex: string) => string)[] = [
  (hex) => hex,
  (hex) => hex.toUpperCase(),
  base64,
  (hex) => base64(hex).replace(/=+$/, ""),
  (hex) => base64(hex).replaceAll("+", "-").replaceAll("/", "_"),
];

const LAYOUTS: readonly ((documents: readonly unknown[]) => string)[] = [
  linesOf,
  (documents) => JSON.stringify(documents),
  (documents) => JSON.stringify(documents, null, 2),
  (documents) => documents.map((document) => `${JSON.stringify(document, null, 4)}\n`).join(""),
  (documents) => documents.map((document) => `${JSON.stringify(document, null, "\t")}\r\n`).join("\r\n"),
];

describe("a document of OTLP", () => {
  const child = span(2, {
    "gen_ai.operation.name": "chat",
    list: ["a", 1],
    map: { traceId: "b" },
    ok: true,
    ratio: 0.5,
  });
  const spans = [span(1), { ...child, parentSpanId: spanId(1), events: [event("retry", { attempt: 2 })] }];
  const whole = request(spans, { "service.name": "desk" }, { name: "example", version: "1.2" });

  test("in snake_case with base64 ids, as Python's protobuf writes it, is read", async () => {
    const document = encoded(whole, { isSnake: () => true, writeId: base64, areNumbersPlain: false });
    expect(JSON.stringify(document)).toContain(`"trace_id":"${base64(TRACE)}"`);
    const other = await readFiles({ "a.json": JSON.stringify(document) });
    const plain = await readFiles({ "a.json": JSON.stringify(whole) });
    expect(other.read.files[0]).toMatchObject({ format: "otlp", runs: 2 });
    expect(other.sent).toEqual(plain.sent);
  });

  test("gives the same runs in any encoding, and those are taken once", { tags: "slow" }, async () => {
    const attributes = fc.dictionary(
      fc.constantFrom("gen_ai.operation.name", "gen_ai.input.messages", "input.value", "trace_id", "a.b"),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 })),
    );
    const made = fc.array(fc.record({ of: attributes, parent: fc.nat(9), code: fc.constantFrom(0, 2) }), {
      minLength: 1,
      maxLength: 8,
    });
    const encoding = fc.record({
      snakes: fc.oneof(
        fc.constant(() => true),
        fc.constant(() => false),
        fc.func(fc.boolean()),
      ),
      writeId: fc.constantFrom(...IDS),
      areNumbersPlain: fc.boolean(),
      layout: fc.constantFrom(...LAYOUTS),
    });
    await fc.assert(
      fc.asyncProperty(made, encoding, async (list, { snakes, layout, ...form }) => {
        const documents = list.map(({ of, parent, code }, at) => {
          const place = parent < at ? { parentSpanId: spanId(parent) } : {};
          return request([span(at, of, { ...place, status: { code }, events: [event("e", of)] })], { a: at });
        });
        const plain = linesOf(documents);
        const other = layout(
          documents.map((document) => encoded(document, { ...form, isSnake: (key) => snakes(key) })),
        );
        const expected = (await readFiles({ "a.json": plain })).sent;
        expect((await readFiles({ "a.json": other })).sent).toEqual(expected);
        const both = await readFiles({ "a.json": plain, "b.json": other });
        expect(both.sent).toEqual(expected);
        expect(both.read.sharedRuns).toBe(list.length);
      }),
      { numRuns: propertyRuns(0.5) },
    );
  });
});
