import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventStream, type ServerSentEvent } from "../../src/http/event-stream.ts";
import { GarbageError } from "../../src/http/bad-response.ts";

/** What comes out of a stream whose bytes come in these chunks; the stream ends after the last. */
function read(chunks: readonly Uint8Array[]): readonly ServerSentEvent[] {
  const stream = new EventStream();
  const events = chunks.flatMap((chunk) => stream.push(chunk));
  stream.end();
  return events;
}

const readText = (text: string) => read([Buffer.from(text)]);

/** The bytes cut at these places, as shares of the whole; two equal ones make an empty chunk. */
function cutAt(bytes: Buffer, places: readonly number[]): readonly Uint8Array[] {
  const ends = [...places.map((place) => Math.floor(place * bytes.length)).sort((a, b) => a - b), bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const lineBreak = fc.constantFrom("\n", "\r\n", "\r");
const text = fc.string({ unit: "grapheme", maxLength: 20 }).map((value) => value.replaceAll(/[\r\n\0]/g, "_"));
const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });

interface Written {
  readonly event: string;
  readonly lines: readonly string[];
  readonly id: string | undefined;
  readonly comment: string | undefined;
}
const written: fc.Arbitrary<Written> = fc.record({
  event: text,
  lines: fc.array(text, { minLength: 1, maxLength: 4 }),
  id: fc.option(text, { nil: undefined }),
  comment: fc.option(text, { nil: undefined }),
});

/** The event as a server writes it. */
function write({ event, lines, id, comment }: Written, ending: string): string {
  const all = [
    ...(comment === undefined ? [] : [`:${comment}`]),
    `event: ${event}`,
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...lines.map((line) => `data: ${line}`),
    "",
  ];
  return all.map((line) => line + ending).join("");
}

/** What must come out for what was written. */
function told(events: readonly Written[]): readonly ServerSentEvent[] {
  let last: string | undefined;
  return events.map(({ event, lines, id }) => {
    last = id ?? last;
    return { event: event === "" ? "message" : event, data: lines.join("\n"), id: last };
  });
}

describe("a stream of events", () => {
  test("says what was written, however its lines end and wherever its bytes are cut", () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 6 }), lineBreak, places, (events, ending, cuts) => {
        const bytes = Buffer.from(events.map((event) => write(event, ending)).join(""));
        expect(read(cutAt(bytes, cuts))).toEqual(told(events));
      }),
    );
  });

  test("of any bytes at all says the same in one chunk as byte by byte", () => {
    const outcome = (chunks: readonly Uint8Array[]) => {
      try {
        return read(chunks);
      } catch (error) {
        return error instanceof GarbageError ? error.message : error;
      }
    };
    const piece = fc.constantFrom("data", "event", "id", ":", " ", "\r", "\n", "\r\n", "x", "é", "\u{1f600}", "\uFEFF");
    const lines = fc.array(piece, { maxLength: 60 }).map((pieces) => Buffer.from(pieces.join("")));
    const bytes = fc.oneof(
      lines,
      fc.uint8Array({ maxLength: 60 }).map((array) => Buffer.from(array)),
    );
    fc.assert(
      fc.property(bytes, (whole) => {
        expect(outcome([...whole].map((byte) => Uint8Array.of(byte)))).toEqual(outcome([whole]));
      }),
    );
  });

  test.each([
    ["a value without the blank after the colon", "data:x\n\n", [{ event: "message", data: "x", id: undefined }]],
    ["a value with two blanks", "data:  x\n\n", [{ event: "message", data: " x", id: undefined }]],
    ["a value with colons", "data: a: b: c\n\n", [{ event: "message", data: "a: b: c", id: undefined }]],
    ["a field without a colon", "data\n\n", [{ event: "message", data: "", id: undefined }]],
    ["an unknown field", "color: red\ndata: x\n\n", [{ event: "message", data: "x", id: undefined }]],
    ["a time to wait before connecting again", "retry: 10\n\n", []],
    ["comments alone", ": alive\r\n\r\n: alive\r\n\r\n", []],
    ["an event without data", "event: ping\n\ndata: x\n\n", [{ event: "message", data: "x", id: undefined }]],
    ["an id with a zero byte", "id: a\0b\ndata: x\n\n", [{ event: "message", data: "x", id: undefined }]],
    ["nothing", "", []],
    ["a byte order mark", "\uFEFFdata: x\n\n", [{ event: "message", data: "x", id: undefined }]],
  ])("reads %s", (_what, written, events) => {
    expect(readText(written)).toEqual(events);
  });

  test.each(["data: x", "data: x\n", "event: values\n", "dat", "data: \u00e9".slice(0, 7)])(
    "that ends within an event, after %j, is a fault",
    (written) => {
      expect(() => readText(written)).toThrow("the stream ends in the middle of an event");
    },
  );

  test("may end within a comment", () => {
    expect(readText("data: x\n\n: ali")).toHaveLength(1);
  });

  test("with an event that does not end is a fault before the memory is full", () => {
    const stream = new EventStream();
    const chunk = Buffer.alloc(1024 * 1024, "x");
    stream.push(Buffer.from("data: "));
    expect(() => {
      for (let pushed = 0; pushed < 64; pushed += 1) stream.push(chunk);
    }).toThrow("one event is larger than 16 MiB");
    const lines = Buffer.from(`data: ${"y".repeat(1024 * 1024)}\n`);
    const other = new EventStream();
    expect(() => {
      for (let pushed = 0; pushed < 64; pushed += 1) other.push(lines);
    }).toThrow("one event is larger than 16 MiB");
  });

  test("with an event of ever more lines without a text is a fault too", { tags: "slow" }, () => {
    const stream = new EventStream();
    const chunk = Buffer.from("data:\n".repeat(1_000_000));
    expect(() => {
      for (let pushed = 0; pushed < 4; pushed += 1) stream.push(chunk);
    }).toThrow("one event is larger than 16 MiB");
  });

  test("may continue for as long as it likes when its events end", { tags: "slow" }, () => {
    const stream = new EventStream();
    const one = Buffer.from(`: ${"x".repeat(512 * 1024)}\ndata: ${"y".repeat(512 * 1024)}\n\n`);
    let events = 0;
    for (let pushed = 0; pushed < 40; pushed += 1) events += stream.push(one).length;
    expect(events).toBe(40);
  });
});
