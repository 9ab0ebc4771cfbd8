import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { row, uploadRig } from "./upload-rig.ts";

const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const FORMS = [ID, ID.toUpperCase(), ID.replaceAll("-", ""), ID.replaceAll("-", "").toUpperCase()];
const native = (...rows: readonly string[]) => rows.join("\n");

interface Body {
  readonly dataset_id?: string;
  readonly results: readonly { readonly row_id: string }[];
}

async function bodyOf(
  files: Readonly<Record<string, string>>,
  fields: Parameters<Awaited<ReturnType<typeof uploadRig>>["dryRun"]>[0] = {},
) {
  const { write, dryRun } = await uploadRig();
  await write(files);
  const [path = ""] = await dryRun(fields);
  return JSON.parse(await readFile(path, "utf8")) as Body;
}

test.each(FORMS)("the UUID of a row is the same one, dashed and in lower case: %s", async (id) => {
  expect((await bodyOf({ "r.jsonl": native(row(1, { row_id: id })) })).results[0]?.row_id).toBe(ID);
  expect((await bodyOf({ "r.csv": `id,input,exact\n${id},a,1\n` })).results[0]?.row_id).toBe(ID);
});

test("a repetition of a UUID has one id, in whatever form it is written", async () => {
  const log = (id: string) =>
    JSON.stringify({
      ...{ version: 2, status: "success", eval: { task: "t", model: "m", dataset: { name: "d" } } },
      samples: [{ id, epoch: 2, input: "q", scores: { exact: { value: 1 } } }],
    });
  const ids = await Promise.all(FORMS.map(async (id) => (await bodyOf({ "log.json": log(id) })).results[0]?.row_id));
  expect(new Set(ids).size).toBe(1);
  expect(ids).not.toContain(ID);
});

test.each(FORMS.slice(1))("two rows whose UUIDs differ in form alone are a duplicate: %s", async (other) => {
  for (const files of [
    { "r.jsonl": native(row(1, { row_id: ID }), row(2, { row_id: other })) },
    { "a.jsonl": native(row(1, { row_id: other })), "b.jsonl": native(row(2, { row_id: ID })) },
  ]) {
    const { write, dryRun } = await uploadRig();
    await write(files);
    await expect(dryRun()).rejects.toThrow(/the row is also in [ar]\.jsonl, line 1, with other content/);
  }
});

test("a dataset has one id in whatever form it is written, and so have its rows", { tags: "slow" }, async () => {
  const rows = (id: string) =>
    native(JSON.stringify({ type: "experiment", experiment_name: "n", dataset_id: id }), row(1));
  const ofFile = FORMS.map(async (id) => await bodyOf({ "r.jsonl": rows(id) }, { datasetName: undefined }));
  const ofRequest = FORMS.map(
    async (id) => await bodyOf({ "r.jsonl": native(row(1)) }, { datasetName: undefined, datasetId: id }),
  );
  const bodies = await Promise.all([...ofFile, ...ofRequest]);
  expect(new Set(bodies.map(({ dataset_id }) => dataset_id))).toEqual(new Set([ID]));
  expect(new Set(bodies.map(({ results }) => results[0]?.row_id)).size).toBe(1);
});

test("files whose datasets differ in the form of their id alone are of one dataset", async () => {
  const files = Object.fromEntries(
    FORMS.map((id, index) => [
      `${String(index)}.jsonl`,
      native(JSON.stringify({ type: "experiment", experiment_name: "n", dataset_id: id }), row(index)),
    ]),
  );
  expect((await bodyOf(files, { datasetName: undefined })).dataset_id).toBe(ID);
});

test("the case of a table has one row id in whatever case it is written, and the row keeps how", async () => {
  const rowsOf = async (id: string) => (await bodyOf({ "r.csv": `id,input,exact\n${id},a,1\n` })).results;
  const [[upper], [lower]] = [await rowsOf("Q-1"), await rowsOf("q-1")];
  expect(upper?.row_id).toBe(lower?.row_id);
  expect(upper).toMatchObject({ run_metadata: { case_id: "Q-1" } });
});
