import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { csv } from "../../../../src/experiments/formats/csv.ts";
import { jsonl } from "../../../../src/experiments/formats/jsonl.ts";
import { propertyRuns } from "../../../property-runs.ts";
import { mappingOf, readAll, refusalOf } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const MAPPED = "id: case\ninputs: q\nscores:\n  exact: s";

async function idsOf(table: string, mapping?: string) {
  const { rows } = await readAll(
    csv,
    storedFile(table),
    mapping === undefined ? {} : { mapping: await mappingOf(mapping) },
  );
  return rows.map(({ id }) => id);
}

describe("ids that are all n.0 are n", () => {
  test.each([
    ["by its name", "id,question,score\n1.0,a,1\n2.0,b,0\n,c,1\n", undefined, ["1", "2", undefined]],
    ["by a mapping", "case,q,s\n1.0,a,1\n-2.00,b,0\n", MAPPED, ["1", "-2"]],
    ["not beside another number", "id,question,score\n1.0,a,1\n1.5,b,0\n", undefined, ["1.0", "1.5"]],
    ["not beside a text", "id,question,score\n1.0,a,1\nv2.0,b,0\n", undefined, ["1.0", "v2.0"]],
  ])("%s", async (_what, table, mapping, ids) => {
    expect(await idsOf(table, mapping)).toEqual(ids);
  });

  test("in JSON too, with all of their digits", async () => {
    const lines = ['{"id":"1.0","input":"a","exact":1}', '{"id":12345678901234567890.0,"input":"b","exact":1}'];
    const { rows } = await readAll(jsonl, storedFile(lines.join("\n")));
    expect(rows.map(({ id }) => id)).toEqual(["1", "12345678901234567890"]);
  });

  test(
    "whatever the numbers are, and a table of them has the ids of one of whole numbers",
    { tags: "slow" },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(fc.nat(1e9), { minLength: 1, maxLength: 20 }), async (numbers) => {
          const table = (point: string) =>
            `id,input,exact\n${numbers.map((number) => `${String(number)}${point},q${String(number)},1`).join("\n")}\n`;
          expect(await idsOf(table(".0"))).toEqual(await idsOf(table("")));
        }),
        { numRuns: propertyRuns(0.3) },
      );
    },
  );
});

describe("what names the cases", () => {
  test.each(["task_id", "taskId", "question_id", "Query ID", "qid", "prompt_id"])("is `%s`", async (name) => {
    const { rows } = await readAll(csv, storedFile(`${name},question,answer,score\n7,a,x,1\n9,b,y,0\n`));
    expect(rows.map(({ id, namesCase }) => [id, namesCase])).toEqual([
      ["7", true],
      ["9", true],
    ]);
  });

  test.each(["task_id", "prompt_id"])("is not `%s` where many questions share each value", async (name) => {
    const lines = Array.from({ length: 12 }, (_, at) => `${name}-${String(at % 3)},question ${String(at)},x,1`);
    const { rows } = await readAll(csv, storedFile(`${name},question,answer,score\n${lines.join("\n")}\n`));
    expect(rows.map(({ id }) => id)).toEqual(lines.map(() => undefined));
    expect(rows[4]?.metadata).toEqual({ [name]: `${name}-1` });
  });

  test("is not the id of the document that questions are about", async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `d${String(at % 4)},question ${String(at)},x,1`);
    const { rows } = await readAll(csv, storedFile(`doc_id,question,answer,score\n${lines.join("\n")}\n`));
    expect(rows.map(({ id }) => id)).toEqual(lines.map(() => undefined));
  });

  test.each([
    ["id", "", "r0"],
    ["question_id", "", "r0"],
    ["id", "attempt", "t0"],
    ["unit", "", "t0"],
  ])(
    "is `%s`, which names each row, where tasks have several questions, and no %j numbers them",
    async (name, more, id) => {
      const lines = Array.from({ length: 8 }, (_, at) => {
        const attempt = more === "" ? "" : `,${String(at < 4 ? 1 : 2)}`;
        return `r${String(at)},t${String(at % 4)},question ${String(at)},x,1${attempt}`;
      });
      const header = `${name},task_id,question,answer,score${more === "" ? "" : `,${more}`}`;
      const { rows } = await readAll(csv, storedFile(`${header}\n${lines.join("\n")}\n`));
      expect(rows[0]?.id).toBe(id);
    },
  );

  test("is no empty text", async () => {
    const lines = ["", " "].map((id, at) => JSON.stringify({ id, input: `q${String(at)}`, exact: 1 }));
    const { rows } = await readAll(jsonl, storedFile(lines.join("\n")));
    expect(rows.map(({ id }) => id)).toEqual([undefined, undefined]);
  });

  test("is the id of a case before one of a row", async () => {
    const { rows } = await readAll(csv, storedFile("id,question_id,question,score\nr1,c1,a,1\nr2,c1,a,0\n"));
    expect(rows.map(({ id }) => id)).toEqual(["c1", "c1"]);
  });
});

describe("an id that a spreadsheet rounded", () => {
  const refused = "line 3: the id is rounded, and line 2 has the same with other inputs";

  test("is refused where two cases have it", async () => {
    const cells = ["8.26839E+17,a,1", "8.26839E+17,b,0"];
    expect(await refusalOf(csv, storedFile(`id,question,score\n${cells.join("\n")}\n`))).toContain(refused);
    const mapped = storedFile(`case,q,s\n${cells.join("\n")}\n`);
    expect(await refusalOf(csv, mapped, await mappingOf(MAPPED))).toContain(refused);
    const lines = cells.map((cell) => cell.split(",")).map(([id, input]) => JSON.stringify({ id, input, exact: 1 }));
    expect(await refusalOf(jsonl, storedFile(lines.join("\n")))).toMatch(/line 2: the id is rounded, and line 1/);
  });

  test.each([
    ["of another number each", ["8.26839E+17,a,1", "8.26840E+17,b,0"]],
    ["of repetitions of one case", ["8.26839E+17,a,1", "8.26839E+17,a,0"]],
    ["that has all of its digits", ["1.23456789012E+11,a,1", "1.23456789012E+11,b,0"]],
    ["that only looks so", ["5e12,a,1", "5e12,b,0"]],
  ])("is read %s", async (_what, cells) => {
    const { rows } = await readAll(csv, storedFile(`id,question,score\n${cells.join("\n")}\n`));
    expect(rows).toHaveLength(2);
  });

  test("is refused exactly where two of them became one, whatever the ids were", async () => {
    const id = fc.bigInt({ min: 10n ** 17n, max: 10n ** 17n + 40_000_000_000n });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { minLength: 2, maxLength: 5 }), async (ids) => {
        const rounded = ids.map((each) => Number(each).toExponential(6).toUpperCase());
        const file = storedFile(
          `id,input,exact\n${rounded.map((each, at) => `${each},q${String(at)},1`).join("\n")}\n`,
        );
        const isLost = new Set(rounded).size < ids.length;
        const refusal = isLost ? await refusalOf(csv, file) : "";
        expect(refusal.includes("is rounded")).toBe(isLost);
        if (!isLost) expect((await readAll(csv, file)).rows).toHaveLength(ids.length);
      }),
      { numRuns: propertyRuns(0.3) },
    );
  });
});
