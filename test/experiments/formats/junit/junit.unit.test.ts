import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { junit } from "../../../../src/experiments/formats/junit/junit.ts";
import { memoryBytes } from "../../../../src/files/json/byte-source.ts";
import { expectedFiles, expectRows } from "../expected-file.ts";
import { readAll, refusalOf } from "../reading.ts";
import { fixtureFile, storedFile } from "../stored-file.ts";

const file = (content: string | Uint8Array) => storedFile(content, "junit.xml");
const suite = (...cases: readonly string[]) =>
  file(`<testsuites><testsuite name="s">${cases.join("")}</testsuite></testsuites>`);
const rowsOf = async (...cases: readonly string[]) => (await readAll(junit, suite(...cases))).rows;

/** The same file, read a few bytes at a time. */
const inBlocks = (content: string, size: number) => ({
  ...file(content),
  bytes: memoryBytes("junit.xml", Buffer.from(content), size),
});

describe("a report that the tool wrote", () => {
  test.each(expectedFiles("junit"))("%s has the rows that were worked out", async (name, expected) => {
    const { rows, run, faults, warnings } = await readAll(junit, fixtureFile(`junit/${name}`));
    expectRows(rows, expected);
    expect(run.tool).toBe(expected.tool);
    expect([...faults, ...warnings]).toEqual([]);
  });

  test("of pytest has the properties of a test in its metadata, as texts", async () => {
    const { rows } = await readAll(junit, fixtureFile("junit/pytest-9.xml"));
    expect(rows[1]?.metadata).toEqual({ accuracy: "1.0" });
    expect(rows[1]?.times).toEqual({ milliseconds: 1 });
  });

  test.each([
    ["pytest-9.xml", "2026-11-21T08:08:20.978089-05:00"],
    ["pytest-7.xml", "2026-11-21T08:08:20.695034"],
    ["vitest.xml", "2026-11-21T13:27:16.487Z"],
  ])("%s begins with its first suite", async (name, start) => {
    const { run } = await readAll(junit, fixtureFile(`junit/${name}`));
    expect(run.times).toEqual({ start });
  });
});

describe("a testcase", () => {
  const failure = '<testcase classname="c" name="t"><failure message="m"/></testcase>';
  const teardown =
    '<testcase classname="c" name="t"><error message="failed on teardown with &quot;E&quot;"/></testcase>';
  const other = '<testcase classname="c" name="u"/>';

  test("that failed and whose fixtures broke is one row, with tests of other workers in between, too", async () => {
    for (const cases of [
      [failure, teardown],
      [failure, other, other, teardown],
    ]) {
      const rows = await rowsOf(...cases);
      expect(rows).toHaveLength(cases.length - 1);
      expect(rows[0]).toMatchObject({
        scores: [{ key: "pass", value: 0, comment: "m" }],
        error: expect.stringMatching("teardown"),
      });
    }
  });

  test("is a row of its own where another one of its name is no teardown, or far away", async () => {
    expect(await rowsOf(failure, failure)).toHaveLength(2);
    expect(await rowsOf(failure, '<testcase classname="c" name="t"><error message="m"/></testcase>')).toHaveLength(2);
    expect(await rowsOf(other, teardown)).toHaveLength(2);
    const both = teardown.replace("<error", '<failure message="again"/><error');
    expect((await rowsOf(failure, both))[1]?.scores[0]?.comment).toBe("again");
    expect(await rowsOf(failure, ...Array.from({ length: 100 }, () => other), teardown)).toHaveLength(102);
  });

  test("takes in one teardown, and another one is a row again", async () => {
    const rows = await rowsOf(failure, failure, teardown, teardown, teardown);
    expect(rows.map(({ error }) => error !== undefined)).toEqual([true, true, true]);
  });

  test("that was skipped has no score, but 0 where it broke all the same", async () => {
    const rows = await rowsOf(
      '<testcase name="a"><skipped message="no key"/></testcase>',
      '<testcase name="b" status="notrun"/>',
      '<testcase name="c"><skipped/><error message="x"/></testcase>',
    );
    expect(rows.map(({ scores }) => scores.map(({ value }) => value))).toEqual([[], [], [0]]);
  });

  test("with an error that says nothing has an error", async () => {
    const [row] = await rowsOf('<testcase name="a"><error/></testcase>');
    expect(row?.error).toMatch("without a reason");
  });

  test("says once what stands in the message and in the text, in CDATA and over comments", async () => {
    const [a, b] = await rowsOf(
      '<testcase name="a"><failure message="m">\nE: m\nat x\n</failure></testcase>',
      '<testcase name="b"><failure message="m" type="T">one &lt;<!-- no -->two<![CDATA[ <&three]]></failure><failure>more</failure></testcase>',
    );
    expect(a?.scores[0]?.comment).toBe("E: m\nat x");
    expect(b?.scores[0]?.comment).toBe("m\none <two <&three\n\nmore");
  });

  test("does not take the output of its test for a text of its own", async () => {
    const [row] = await rowsOf(
      '<testcase name="a"><system-out><failure/>no</system-out><failure>yes</failure></testcase>',
    );
    expect(row?.scores[0]?.comment).toContain("yes");
    expect(row?.scores[0]?.comment).not.toContain("no");
  });

  test("without a class has that of its suite, and paths are relative to the workspace", async () => {
    const rows = await rowsOf(
      '<testcase name="a" file="/work/x.py"/>',
      '<testcase name="b" classname="/work/y.test.js"/>',
    );
    expect(rows).toMatchObject([
      { name: "s > a", inputs: { file: "x.py", classname: "s", test: "a" }, metadata: { file: "x.py" } },
      { name: "y.test.js > b", inputs: { classname: "y.test.js", test: "b" }, metadata: undefined },
    ]);
  });

  test("of another file is another case of the same name, and a retry is the same case", async () => {
    const named = (of: string) => `<testcase classname="c" name="t" file="${of}"/>`;
    const rows = await rowsOf(
      named("a.ts"),
      named("b.ts"),
      named("b.ts"),
      '<testcase classname="c" name="t" file=""/>',
    );
    expect(rows.map(({ name }) => name)).toEqual(["c > t", "c > t", "c > t", "c > t"]);
    const of = (path: string) => ({ file: path, classname: "c", test: "t" });
    expect(rows.map(({ inputs }) => inputs)).toEqual([
      of("a.ts"),
      of("b.ts"),
      of("b.ts"),
      { classname: "c", test: "t" },
    ]);
  });

  test("is known by its file whether another one has its name or not", async () => {
    const one = '<testcase classname="c" name="t" file="a.ts"/>';
    const [alone] = await rowsOf(one);
    const [, beside] = await rowsOf(one.replace("a.ts", "b.ts"), one);
    expect(beside?.inputs).toEqual(alone?.inputs);
  });

  test("without a file has that of the suites around it", async () => {
    const inner = '<testsuite name="i"><testcase name="a"/><testcase name="b" file="b.ts"/></testsuite>';
    const xml = `<testsuites><testsuite name="o" file="/work/o.ts">${inner}</testsuite><testsuite name="i"><testcase name="a"/></testsuite></testsuites>`;
    const { rows } = await readAll(junit, file(xml));
    expect(rows.map(({ inputs }) => inputs)).toEqual([
      { file: "o.ts", classname: "i", test: "a" },
      { file: "b.ts", classname: "i", test: "b" },
      { classname: "i", test: "a" },
    ]);
  });

  test("of another file is not what pytest says once more", async () => {
    const of = (testcase: string, path: string) => testcase.replace(" name=", ` file="${path}" name=`);
    expect(await rowsOf(of(failure, "a.py"), of(teardown, "b.py"))).toHaveLength(2);
    expect(await rowsOf(of(failure, "a.py"), of(teardown, "a.py"))).toHaveLength(1);
  });

  test("without a name is a fault with its line", async () => {
    const { rows, faults } = await readAll(junit, suite("\n<testcase/>", "<testcase name='a'/>"));
    expect(rows).toHaveLength(1);
    expect(faults).toEqual(["2: a testcase has no `name`"]);
  });

  test.each([
    ["0.003", 3],
    ["1,234.5", 1_234_500],
    ["1e-3", 1],
    ["", undefined],
    ["NaN", undefined],
    ["-1", undefined],
    ["1,2", undefined],
  ])("that takes %j s takes %j ms", async (time, milliseconds) => {
    const [row] = await rowsOf(`<testcase name="a" time="${time}"/>`);
    expect(row?.times?.milliseconds).toBe(milliseconds);
  });

  test("with attributes and properties of Object is as any other", async () => {
    const [row] = await rowsOf(
      '<testcase name="__proto__" constructor="x"><properties><property name="__proto__" value="v"/><property name="p">text</property></properties></testcase>',
    );
    expect(row?.inputs).toEqual({ classname: "s", test: "__proto__" });
    expect(JSON.stringify(row?.metadata)).toBe('{"__proto__":"v","p":"text"}');
  });
});

describe("a document that is not what it should be", () => {
  const entities = '<!DOCTYPE t [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  const external = '<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
  const doctype = "junit.xml, line 1: a DOCTYPE is not allowed, because it could define entities.";
  const entity = "junit.xml, line 1: unknown entity; only the five of XML are allowed.";
  const ends = "junit.xml, line 1: the file ends in the middle of its XML, as if it were cut off.";

  test.each([
    ["with entities", `${entities}<testsuite>&b;</testsuite>`, doctype],
    ["with an entity of a file", `${external}<testsuite>&a;</testsuite>`, doctype],
    ["with an empty DOCTYPE", "<!DOCTYPE testsuite><testsuite/>", doctype],
    ["with a DOCTYPE inside", "<testsuite><!DOCTYPE t></testsuite>", doctype],
    ["with an unknown entity", "<testsuite>&a;</testsuite>", entity],
    ["with an entity like a key of Object", "<testsuite>&constructor;</testsuite>", entity],
    ["with an entity in an attribute", '<testsuite name="&toString;"/>', entity],
    ["that is cut", "<testsuite><testcase", ends],
    ["that is cut in a text", "<testsuite><testcase>text", ends],
    ["of two", "<testsuite/><testsuite/>", "junit.xml, line 1: unexpected content after the end of the XML."],
    ["with a wrong tag", "<testsuite>\n</secret>", "junit.xml, line 2: unmatched closing tag."],
    ["with an attribute twice", '<testsuite a="1" a="2"/>', "junit.xml, line 1: a tag has a duplicate attribute."],
    [
      "with an escape character",
      "<testsuite>\u001b</testsuite>",
      "junit.xml, line 1: invalid character, or an unescaped & or <.",
    ],
    ["with a NUL", "<testsuite>\0</testsuite>", "junit.xml, line 1: NUL byte in the text."],
    ["of something else", "<html></html>", "junit.xml, line 1: the first element is neither testsuites nor testsuite."],
  ])("%s is refused", async (_, content, message) => {
    expect(await refusalOf(junit, file(content))).toBe(message);
  });

  test("with a DOCTYPE and entities is taken for a report, so that its refusal says why", () => {
    expect(junit.detect(file(`<?xml version="1.0"?><!-- <html> -->${external}<testsuites/>`))).toBe(true);
  });

  test("in another encoding than UTF-8 is refused", async () => {
    const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><testsuite name="\u00e9"/>', "latin1");
    expect(await refusalOf(junit, file(latin))).toBe("junit.xml, line 1: bytes that are not UTF-8.");
    expect(() => file(Buffer.from("<testsuite/>", "utf16le"))).toThrow("the file is UTF-16, not UTF-8");
  });

  test("that is nested 1,000 deep is read, and deeper refused", async () => {
    const nested = (depth: number) => file("<testsuite>".repeat(depth) + "</testsuite>".repeat(depth));
    expect((await readAll(junit, nested(1000))).rows).toEqual([]);
    expect(await refusalOf(junit, nested(1001))).toBe("junit.xml, line 1: elements are nested more than 1,000 deep.");
  });

  test("with more than 64 MiB in one text, one tag or one testcase is refused", { tags: "slow" }, async () => {
    const large = "x".repeat(66 * 1024 * 1024);
    const gap = "junit.xml, line 1: more than 64 MiB between two tags.";
    expect(await refusalOf(junit, suite(`<testcase name="a"><system-out>${large}`))).toBe(gap);
    expect(await refusalOf(junit, suite(`<testcase name="${large}`))).toBe(gap);
    const parts = `<failure>${large.slice(0, 40 * 1024 * 1024)}</failure>`;
    expect(await refusalOf(junit, suite(`<testcase name="a">${parts}${parts}</testcase>`))).toBe(
      "junit.xml, line 1: a testcase is larger than 64 MiB.",
    );
  });

  test("is refused wherever it is cut, and never read as a smaller one", { tags: "slow" }, async () => {
    const whole =
      '<?xml version="1.0"?><testsuite name="é"><testcase name="a"><failure>x</failure></testcase></testsuite>';
    for (let length = 0; length < whole.length; length++) await refusalOf(junit, file(whole.slice(0, length)));
  });
});

test("a document is read alike in blocks of any size", async () => {
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
        const { rows } = await readAll(junit, inBlocks(`<testsuite name="s">${texts.join("\n")}</testsuite>`, size));
        expect(rows.map(({ inputs, scores }) => [inputs, scores[0]?.comment])).toEqual(
          cases.map(([test, text]) => [{ classname: "s", test }, text.trim()]),
        );
      },
    ),
  );
});
