import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundaryOf, readForm } from "../../../src/local/runs/multipart-reader.ts";
import { HttpError } from "../../../src/local/http/error.ts";
import { BOUNDARY, form, runId, type TestPart } from "../run-caller.ts";

// Contents that look like the structure around them.
const content = fc
  .array(
    fc.oneof(
      fc.constantFrom(`\r\n--${BOUNDARY}`, `--${BOUNDARY}--`, "\r\n\r\n", "--", "Content-Length: 3\r\n", "é"),
      fc.string(),
    ),
    { maxLength: 6 },
  )
  .chain((texts) =>
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.concat([Buffer.from(texts.join("")), bytes])),
  );
const partName = fc
  .constantFrom("post", "patch", "feedback")
  .chain((event) =>
    fc
      .nat(99)
      .chain((number) => fc.constantFrom("", ".inputs", ".tags").map((field) => `${event}.${runId(number)}${field}`)),
  );
const testPart: fc.Arbitrary<TestPart> = fc
  .tuple(partName, content, fc.boolean(), fc.boolean())
  .map(([name, bytes, asParameter, lower]) => {
    const headers = asParameter
      ? [`Content-Type: application/json; length=${bytes.length}`]
      : ["Content-Type: Application/JSON; charset=utf-8", `Content-Length: ${bytes.length}`];
    return { name, content: bytes, headers: lower ? headers.map((line) => line.toLowerCase()) : headers };
  });
const parts = fc.array(testPart, { maxLength: 6 });

/** What is read, or the status of the HttpError; other errors are thrown. */
function read(body: Buffer) {
  try {
    return readForm(body, BOUNDARY).map(({ name, type, from, to }) => ({
      name,
      type,
      content: body.subarray(from, to),
    }));
  } catch (error) {
    if (error instanceof HttpError) return error.status;
    throw error;
  }
}

describe("a form", () => {
  test("reads back part by part, whatever the contents look like", () => {
    fc.assert(
      fc.property(parts, fc.constantFrom("", "\r\n", "an epilogue"), (given, after) => {
        const expected = given.map((one) => ({ name: one.name, type: "application/json", content: one.content }));
        const found = read(Buffer.concat([form(given, `--${BOUNDARY}--`), Buffer.from(after)]));
        expect(found).toEqual(expected);
      }),
    );
  });

  test("that is truncated anywhere is rejected", () => {
    fc.assert(
      fc.property(parts, fc.nat(), (given, at) => {
        const body = form(given, `--${BOUNDARY}--`);
        expect(read(body.subarray(0, at % body.length))).toBe(422);
      }),
    );
  });

  test("with any byte changed, or of any bytes, is read or rejected, and never breaks the reader", () => {
    const changed = fc.tuple(parts, fc.nat(), fc.nat(255)).map(([given, at, byte]) => {
      const body = form(given);
      body[at % body.length] = byte;
      return body;
    });
    const bytes = fc
      .uint8Array({ maxLength: 300 })
      .map((tail) => Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n`), tail]));
    fc.assert(
      fc.property(fc.oneof(changed, bytes), (body) => {
        const found = read(body);
        if (found !== 422) expect(Array.isArray(found)).toBe(true);
      }),
    );
  });

  test("may have no part at all", () => {
    expect(read(Buffer.from(`--${BOUNDARY}--\r\n`))).toEqual([]);
  });

  test.each([
    ["a header without an end", `--${BOUNDARY}\r\n${"x".repeat(20_000)}`],
    ["a header without a colon", `--${BOUNDARY}\r\nnothing\r\n\r\n`],
    ["a header twice", `--${BOUNDARY}\r\nContent-Type: a/b\r\nContent-Type: a/b\r\n\r\n`],
    [
      "no name",
      `--${BOUNDARY}\r\nContent-Disposition: form-data\r\nContent-Type: a/b; length=0\r\n\r\n\r\n--${BOUNDARY}--`,
    ],
  ])("with %s is refused", (_what, text) => {
    expect(read(Buffer.from(text))).toBe(422);
  });
});

test.each([
  ["multipart/form-data; boundary=abc", "abc"],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b;c"', "a b;c"],
  ["multipart/form-data;boundary=a-b; x=y", "a-b"],
])("the boundary of %s is %s", (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary);
});
