import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { withUploads, row, uploadRig } from "./upload-rig.ts";

interface Body {
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

async function sentOf(files: Readonly<Record<string, string>>) {
  const { write, dryRun, warnings } = await uploadRig();
  await write(files);
  const [path = ""] = await dryRun();
  const text = await readFile(path, "utf8");
  return { text, body: JSON.parse(text) as Body, warnings: warnings() };
}

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";

test.each([
  ["a native row", `{"results":[${row(1, { row_id: ID, inputs: { "k\0": "a\ud800" } })}]}`],
  ["a native line", row(1, { row_id: ID, inputs: { "k\ud800": "a\0" } })],
  ["a record", JSON.stringify({ input: { "k\udfff": "a\0" }, exact: 1 })],
])("halves of characters and NUL become U+FFFD, with a warning that counts them: %s", async (_what, text) => {
  const { body, warnings } = await sentOf({ "r.any": `${text}\n` });
  expect(body.results[0]).toMatchObject({ inputs: { "k\ufffd": "a\ufffd" } });
  expect(warnings).toEqual([expect.stringMatching(/^Replaced 2 characters .* by U\+FFFD/)]);
});

test("so do those beside the rows", async () => {
  const head = { experiment_name: "n\ud800", experiment_metadata: { "m\0": 1 } };
  const { body, warnings } = await sentOf({ "r.json": `${JSON.stringify(head).slice(0, -1)},"results":[${row(1)}]}` });
  expect(body).toMatchObject({ experiment_name: "n\ufffd", experiment_metadata: { "m\ufffd": 1 } });
  expect(warnings).toHaveLength(1);
});

withUploads("keys that would become one are an error with the row", async ({ write, dryRun }) => {
  await write({ "r.jsonl": row(1, { inputs: { "\0": 1, "\ud800": 2 } }) });
  await expect(dryRun()).rejects.toThrow(/^r\.jsonl, line 1: two keys of an object differ only in characters/);
});
