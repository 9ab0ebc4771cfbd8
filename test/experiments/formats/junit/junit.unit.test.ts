import fc from "fast-check";
import { expect, test } from "vitest";
import { junit } from "../../../../src/experiments/formats/junit/junit.ts";
import { memoryBytes } from "../../../../src/files/json/byte-source.ts";
import { readAll, refusalOf, silentContext } from "../reading.ts";
import { storedFile } from "../stored-file.ts";

const file = (content: string | Uint8Array) => storedFile(content, "junit.xml");
const suite = (...cases: readonly string[]) =>
  file(`<testsuites><testsuite name="s">${cases.join("")}</testsuite></testsuites>`);

test("a teardown far away from its testcase is a row of its own", async () => {
  const other = '<testcase classname="c" name="u"/>';
  const teardown =
    '<testcase classname="c" name="t"><error message="failed on teardown with &quot;E&quot;"/></testcase>';
  const failed = '<testcase classname="c" name="t"><failure message="m"/></testcase>';
  const { rows } = await readAll(junit, suite(failed, ...Array.from({ length: 100 }, () => other), teardown));
  expect(rows).toHaveLength(102);
});

test("a document without a tool and a time says nothing of its run, not even that it says nothing", async () => {
  const said: unknown[] = [];
  const context = { ...silentContext(), describeRun: (run: unknown) => said.push(run) };
  const rows: unknown[] = [];
  for await (const row of junit.rows(suite('<testcase classname="c" name="t"/>'), context)) rows.push(row);
  expect({ rows: rows.length, said }).toEqual({ rows: 1, said: [] });
});

test("a document in another encoding than UTF-8 is refused", async () => {
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><testsuite name="\u00e9"/>', "latin1");
  expect(await refusalOf(junit, file(latin))).toBe("junit.xml, line 1: bytes that are not UTF-8.");
  expect(() => file(Buffer.from("<testsuite/>", "utf16le"))).toThrow("the file is UTF-16, not UTF-8");
});

test("a document that is nested 1,000 deep is read, and deeper refused", async () => {
  const nested = (depth: number) => file("<testsuite>".repeat(depth) + "</testsuite>".repeat(depth));
  expect((await readAll(junit, nested(1000))).rows).toEqual([]);
  expect(await refusalOf(junit, nested(1001))).toBe("junit.xml, line 1: elements are nested more than 1,000 deep.");
});

test("a document with more than 64 MiB in one text, one tag or one testcase is refused", { tags: "slow" }, async () => {
  const large = "x".repeat(66 * 1024 * 1024);
  const gap = "junit.xml, line 1: more than 64 MiB between two tags.";
  expect(await refusalOf(junit, suite(`<testcase name="a"><system-out>${large}`))).toBe(gap);
  expect(await refusalOf(junit, suite(`<testcase name="${large}`))).toBe(gap);
  const parts = `<failure>${large.slice(0, 40 * 1024 * 1024)}</failure>`;
  expect(await refusalOf(junit, suite(`<testcase name="a">${parts}${parts}</testcase>`))).toBe(
    "junit.xml, line 1: a testcase is larger than 64 MiB.",
  );
});

test("a document is refused wherever it is cut, and never read as a smaller one", { tags: "slow" }, async () => {
  const whole =
    '<?xml version="1.0"?><testsuite name="é"><testcase name="a"><failure>x</failure></testcase></testsuite>';
  for (let length = 0; length < whole.length; length++) await refusalOf(junit, file(whole.slice(0, length)));
});

test("a document is read alike in blocks of any size", { tags: "slow" }, async () => {
  const xmlText = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const word = fc.string({
    unit: fc.constantFrom("a", " ", "&", "<", ">", '"', "é", "日", "😀", "]]>", "x"),
    minLength: 1,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(word, word), { maxLength: 8 }),
      fc.integer({ min: 1, max: 40 }),
      async (cases, size) => {
        const texts = cases.map(
          ([name, text]) => `<testcase name="${xmlText(name)}"><failure>${xmlText(text)}</failure></testcase>`,
        );
        const whole = `<testsuite name="s">${texts.join("\n")}</testsuite>`;
        const inBlocks = { ...file(whole), bytes: memoryBytes("junit.xml", Buffer.from(whole), size) };
        const { rows } = await readAll(junit, inBlocks);
        expect(rows.map(({ inputs, scores }) => [inputs, scores[0]?.comment])).toEqual(
          cases.map(([test, text]) => [{ classname: "s", test }, text.trim()]),
        );
      },
    ),
  );
});
