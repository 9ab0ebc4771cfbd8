import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runOperation, type RunOperation } from "../../../src/tracing/ingest/run-queue.ts";
import { BatchWriter } from "../../../src/tracing/ingest/run-batch.ts";
import { TextStore } from "../../../src/tracing/ingest/text-store.ts";

const ID = "0193a1b2-c3d4-7e5f-8a6b-0c1d2e3f4a5b";
const BOUNDARY = "b0undary";

/** A reader of its own: goes by the lengths alone, as a server may. */
function partsOf(body: Buffer) {
  const parts: { readonly name: string; readonly type: string; readonly json: unknown }[] = [];
  let at = 0;
  for (;;) {
    const headEnd = body.indexOf("\r\n\r\n", at);
    const head = body.toString("latin1", at, headEnd === -1 ? body.length : headEnd);
    if (headEnd === -1) {
      expect(head).toBe(`--${BOUNDARY}--\r\n`);
      return parts;
    }
    const [boundary, disposition = "", type = "", length = ""] = head.split("\r\n");
    expect(boundary).toBe(`--${BOUNDARY}`);
    const start = headEnd + 4;
    const end = start + Number(/^Content-Length: (\d+)$/.exec(length)?.[1]);
    expect(body.toString("latin1", end, end + 2)).toBe("\r\n");
    const name = /^Content-Disposition: form-data; name="([^"]+)"$/.exec(disposition)?.[1] ?? "";
    parts.push({ name, type, json: JSON.parse(body.toString("utf8", start, end)) });
    at = end + 2;
  }
}

const read = (...operations: readonly RunOperation[]) => partsOf(new BatchWriter(BOUNDARY).write(operations).body);

describe("the body of a batch", () => {
  test("is exactly these bytes", () => {
    const post = runOperation("post", { id: ID, name: "é", inputs: { q: "ü" }, outputs: {}, events: [] });
    const { contentType, body } = new BatchWriter(BOUNDARY).write([post]);
    expect(contentType).toBe("multipart/form-data; boundary=b0undary");
    expect(body).toEqual(
      Buffer.from(
        "--b0undary\r\n" +
          `Content-Disposition: form-data; name="post.${ID}"\r\n` +
          "Content-Type: application/json\r\nContent-Length: 57\r\n\r\n" +
          `{"id":"${ID}","name":"é"}\r\n` +
          "--b0undary\r\n" +
          `Content-Disposition: form-data; name="post.${ID}.inputs"\r\n` +
          "Content-Type: application/json\r\nContent-Length: 10\r\n\r\n" +
          '{"q":"ü"}\r\n' +
          "--b0undary--\r\n",
      ),
    );
  });

  test("has posts before patches, each in order", () => {
    const operations = [
      runOperation("patch", { id: "a", outputs: 1 }),
      runOperation("post", { id: "b" }),
      runOperation("patch", { id: "c" }),
      runOperation("post", { id: "d", events: [1] }),
    ];
    const names = read(...operations).map(({ name }) => name);
    expect(names).toEqual(["post.b", "post.d", "post.d.events", "patch.a", "patch.a.outputs", "patch.c"]);
  });

  test("reads back as it was written, without null and empty values", () => {
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: "binary" }));
    const run = fc.record({ inputs: value, outputs: value, name: fc.option(fc.string({ unit: "binary" })) });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 5 }), (runs) => {
        const all = runs.map((one, index) => runOperation("post", { id: String(index), ...one }));
        const found = new Map(read(...all).map(({ name, json }) => [name, json]));
        for (const [index, { inputs, outputs, name }] of runs.entries()) {
          const id = String(index);
          expect(found.get(`post.${id}`)).toEqual({ id, ...(name === null ? {} : { name }) });
          for (const [field, given] of Object.entries({ inputs, outputs })) {
            const isEmpty =
              given === null || given === "" || JSON.stringify(given) === "{}" || JSON.stringify(given) === "[]";
            expect(found.get(`post.${id}.${field}`)).toEqual(isEmpty ? undefined : JSON.parse(JSON.stringify(given)));
          }
        }
      }),
    );
  });
});

test.each([
  ["short", "short"],
  ["long", "x".repeat(5_000)],
  ["beyond ASCII", "日本 🙂 \ud800 \n".repeat(1_000)],
  ["of more than a MiB", "é".repeat(1_000_000)],
])("texts that waited as bytes are written as those that did not: %s", (_, text) => {
  const run = { id: ID, name: "a", inputs: { text }, outputs: { text }, events: [{ text }] };
  const [waited, direct] = [new TextStore(), undefined].map((texts) =>
    new BatchWriter(BOUNDARY).write([runOperation("post", run, texts)]),
  );
  expect(waited?.body.equals(direct?.body ?? Buffer.alloc(0))).toBe(true);
  expect(waited?.lines()).toEqual(direct?.lines());
});

test("a change after the run was handed over is not sent", () => {
  const inputs = { list: [1] };
  const extra = { metadata: { model: "small" } };
  const post = runOperation("post", { id: ID, inputs, extra });
  inputs.list.push(2);
  extra.metadata.model = "large";
  expect(read(post).map(({ json }) => json)).toEqual([
    { id: ID, extra: { metadata: { model: "small" } } },
    { list: [1] },
  ]);
});
