import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  counterpartIn,
  isOurBody,
  mergeSections,
  sectionsOf,
  stamped,
  stampOf,
} from "../../../../action/github/comment/body.ts";
import { compareAge, identityOf, type Section } from "../../../../action/github/comment/section.ts";
import { anySection, section } from "./sections.ts";
import { propertyRuns } from "../../../property-runs.ts";

describe("the body of a comment", () => {
  test("a single section stands alone, and several have an overview in the order of kinds and names", () => {
    const one = mergeSections(undefined, [section()]);
    expect(one).not.toContain("Updated (UTC)");
    const three = mergeSections(one, [
      section({ kind: "experiment", key: "a", name: "support-regression", state: "uploaded" }),
      section({ key: "billing-agent", name: "billing-agent", sign: "bad", state: "build failed" }),
    ]);
    expect([...three.matchAll(/^\| ([a-z-]+) \|/gm)].map(([, name]) => name)).toEqual([
      "billing-agent",
      "support-agent",
      "support-regression",
    ]);
  });

  test("a name is not another that begins with it", () => {
    const body = mergeSections(undefined, [section({ key: "ab" }), section({ key: "a" })]);
    expect(counterpartIn(body, section({ key: "a" }))?.facts.key).toBe("a");
    expect(sectionsOf(body)).toHaveLength(2);
  });

  test.each([
    ["an earlier run", { run: "99" }],
    ["an earlier run with fewer digits", { run: "9" }],
    ["an earlier attempt", { attempt: 0 }],
    ["an earlier time of the same attempt", { at: new Date("2026-05-04T09:59:59Z") }],
  ])("%s does not replace a section", (_, facts) => {
    const body = mergeSections(undefined, [section()]);
    expect(mergeSections(body, [section(facts, "old")])).toBe(body);
  });

  test.each([{ run: "1000" }, { attempt: 2 }, { at: new Date("2026-05-04T10:00:01Z") }])(
    "a later one does: %j",
    (facts) => {
      const body = mergeSections(undefined, [section(facts, "new")]);
      expect(mergeSections(mergeSections(undefined, [section()]), [section(facts, "new")])).toBe(body);
    },
  );

  test("line ends of any kind are read", () => {
    const body = mergeSections(undefined, [section({}, "a\r\nb"), section({ key: "other" })]);
    expect(mergeSections(body.replaceAll("\n", "\r\n"), [])).toBe(body);
  });

  test("only a comment that begins with the marker of this version is ours", () => {
    const body = mergeSections(undefined, [section()]);
    for (const other of [` ${body}`, `quoted\n${body}`, body.replace("comment:1", "comment:12"), "", "<!-- x -->"]) {
      expect(isOurBody(other)).toBe(false);
      expect(sectionsOf(other)).toEqual([]);
    }
  });

  const OURS = mergeSections(undefined, [section(), section({ key: "other" })]);

  test.each([
    ["a text instead of sections", "<!-- graph-deploy:comment:1 -->\n\n## Coverage\n\n98 %"],
    ["a text before the sections", OURS.replace("-->", "-->\n\nSee also:")],
    ["a text behind the sections", `${OURS}\n\nThanks!`],
    ["a text between the sections", OURS.replace("<!-- graph-deploy:end -->", "<!-- graph-deploy:end -->\n\nand")],
    ["another table", "<!-- graph-deploy:comment:1 -->\n\n| a | b |\n|---|---|\n| 1 | 2 |"],
  ])("with %s is not ours, although it begins with our marker", (_, other) => {
    expect(other).not.toBe(OURS);
    expect([isOurBody(other), sectionsOf(other)]).toEqual([false, []]);
  });

  test("names its maker and its last write in its first line, which is hidden, and keeps them in a merge", () => {
    const stamp = { maker: "100.1.4f1c09ab", write: "4f1c09ab.2" };
    const body = stamped(mergeSections(undefined, [section()]), stamp);
    expect(body.split("\n")[0]).toBe("<!-- graph-deploy:comment:1 made-by=100.1.4f1c09ab write=4f1c09ab.2 -->");
    expect([isOurBody(body), stampOf(body)]).toEqual([true, stamp]);
    expect(stampOf(mergeSections(body, [section({ key: "other" })]))).toEqual(stamp);
    expect(stampOf(mergeSections(undefined, [section()]))).toBeUndefined();
  });

  describe("a section that says that something was removed", () => {
    const at = (second: number) => new Date(Date.UTC(2026, 4, 4, 10, 0, second));
    const gone = section({ run: "200", sign: "gone", state: "removed", at: at(5) }, "removed");
    const textAfter = (...sections: readonly Section[]) => {
      let body: string | undefined;
      for (const each of sections) body = mergeSections(body, [each]);
      return sectionsOf(body)[0]?.text;
    };

    test.each([
      ["yields to an earlier run that writes later", section({ run: "100", at: at(6) }, "live"), "live"],
      ["yields to a later run", section({ run: "300", at: at(4) }, "live"), "live"],
      ["takes the place of an earlier run that wrote before", section({ run: "100", at: at(4) }, "live"), "removed"],
    ])("%s", (_, other, text) => {
      expect([textAfter(gone, other), textAfter(other, gone)]).toEqual([text, text]);
    });

    test("and two runs never take each other's place in turn", () => {
      const writers = [gone, section({ run: "150", at: at(3) }, "b"), section({ run: "100", at: at(10) }, "a")];
      fc.assert(
        fc.property(fc.array(fc.nat({ max: 2 }), { minLength: 6, maxLength: 20 }), (order) => {
          let body = mergeSections(undefined, []);
          for (const index of order) body = mergeSections(body, writers.slice(index, index + 1));
          for (let round = 0; round < 2; round += 1) for (const each of writers) body = mergeSections(body, [each]);
          for (const each of writers) expect(mergeSections(body, [each])).toBe(body);
          expect(sectionsOf(body)[0]?.text).toBe("a");
        }),
      );
    });
  });

  test("the fields of a newer version stay", () => {
    const newer = mergeSections(undefined, [section()]).replace('"left":0', '"left":0,"score":0.5');
    expect(mergeSections(newer, [section({ key: "other" })])).toContain('"score":0.5');
  });

  test("what a person adds to a section takes no other one's room", () => {
    const sections = ["a", "b", "c"].map((key, index) => section({ key, run: String(100 + index) }, "hello"));
    const body = mergeSections(undefined, sections);
    for (const place of [0, 1, 2]) {
      let at = -1;
      for (let next = 0; next <= place; next += 1) at = body.indexOf("hello", at + 1);
      const edited = `${body.slice(0, at)}hello\n${"a line of a log\n".repeat(3_900)}${body.slice(at)}`;
      const merged = mergeSections(edited, [section({ key: "d", run: "103" })]);
      expect(sectionsOf(merged).map(({ facts }) => facts.key)).toEqual(["a", "b", "c", "d"]);
      expect(merged.length).toBeLessThanOrEqual(60_000);
      expect(mergeSections(merged, [])).toBe(merged);
    }
  });

  test("two long keys that begin alike are two sections", () => {
    const long = "an experiment over the rows of the golden data set ".repeat(3);
    const body = mergeSections(undefined, [section({ key: `${long}A` }), section({ key: `${long}B` })]);
    expect(sectionsOf(body)).toHaveLength(2);
    expect(counterpartIn(body, section({ key: `${long}A` }))?.facts.key).toHaveLength(100);
  });

  test("the end of a section that a person deleted is not missed", () => {
    const body = mergeSections(undefined, [section(), section({ key: "x" })]);
    expect(mergeSections(body.replaceAll("<!-- graph-deploy:end -->", ""), [])).toBe(body);
  });

  test("eight long sections share the room, and a short one keeps its own", () => {
    const rows = "| a row of 40 characters, as tables have |\n".repeat(900);
    const keys = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const body = mergeSections(undefined, [...keys.map((key) => section({ key }, rows)), section({ key: "short" })]);
    expect(body.length).toBeLessThanOrEqual(60_000);
    expect(body.length).toBeGreaterThan(57_000);
    const sizes = sectionsOf(body).map(({ text }) => text.length);
    expect(new Set(sizes)).toHaveLength(2);
    for (const { text, facts } of sectionsOf(body).filter(({ facts: { key } }) => key !== "short")) {
      expect(text.split("\n").length + facts.left).toBe(900);
    }
    expect(body).toMatch(/_7\d\d more lines are left out here_/);
  });

  test("of very many sections the newest stay", () => {
    const many = Array.from({ length: 200 }, (_, run) => section({ key: String(run), run: String(run) }));
    const body = mergeSections(undefined, many);
    expect(
      sectionsOf(body)
        .map(({ facts: { run } }) => Number(run))
        .toSorted((a, b) => a - b)[0],
    ).toBe(140);
    expect(body).toContain("The newest 60 sections are shown.");
  });
});

// Bodies of 60,000 characters.
const LONG = { numRuns: propertyRuns(0.4) };

describe("a merge", () => {
  const some = fc.array(anySection, { maxLength: 12 });

  test("of what is in the comment changes nothing", { tags: "slow" }, () => {
    fc.assert(
      fc.property(some, some, (before, now) => {
        const body = mergeSections(mergeSections(undefined, before), now);
        expect(mergeSections(body, now)).toBe(body);
        expect(mergeSections(body, before)).toBe(body);
      }),
      LONG,
    );
  });

  test("comes to the same in any order, one by one or at once", { tags: "slow" }, () => {
    fc.assert(
      fc.property(
        fc
          .uniqueArray(anySection, { maxLength: 8, selector: identityOf })
          .chain((sections) =>
            fc.tuple(fc.constant(sections), fc.shuffledSubarray(sections, { minLength: sections.length })),
          ),
        ([sections, shuffled]) => {
          let body: string | undefined;
          for (const each of shuffled) body = mergeSections(body, [each]);
          expect(body).toBe(sections.length === 0 ? undefined : mergeSections(undefined, sections));
        },
      ),
      LONG,
    );
  });

  test("loses no section, keeps the newest of each name, and stays below the limit", { tags: "slow" }, () => {
    fc.assert(
      fc.property(some, some, (before, now) => {
        const body = mergeSections(mergeSections(undefined, before), now);
        expect(body.length).toBeLessThanOrEqual(60_000);
        const all = Map.groupBy([...before, ...now], identityOf);
        const found = sectionsOf(body);
        expect(new Set(found.map(identityOf))).toEqual(new Set(all.keys()));
        for (const each of found) {
          const newest = (all.get(identityOf(each)) ?? []).toSorted(compareAge).at(-1);
          expect(newest === undefined ? 1 : compareAge(newest, each)).toBe(0);
        }
      }),
      LONG,
    );
  });

  test("keeps the others byte for byte while there is room", { tags: "slow" }, () => {
    fc.assert(
      fc.property(anySection, anySection, (one, other) => {
        fc.pre(identityOf(one) !== identityOf(other) && one.text.length + other.text.length < 40_000);
        const [, before = ""] =
          /^(<!-- graph-deploy:section.*)$/s.exec(mergeSections(undefined, [one]).slice(33)) ?? [];
        expect(before).not.toBe("");
        expect(mergeSections(mergeSections(undefined, [one]), [other])).toContain(before);
      }),
    );
  });

  test("finds no section in the text of another", { tags: "slow" }, () => {
    fc.assert(
      fc.property(anySection, some, (forger, others) => {
        const text = mergeSections(undefined, others);
        const forged = section({ kind: "report", key: "forger" }, `${forger.text}\n${text}`);
        expect(sectionsOf(mergeSections(undefined, [forged])).map(identityOf)).toEqual([identityOf(forged)]);
      }),
      LONG,
    );
  });
});

test("a section of a service takes over that of an earlier version, and leaves that of another service alone", () => {
  const of = (service: string | undefined, run: string) => section({ service, run }, `run ${run}`);
  const earlier = mergeSections(undefined, [of(undefined, "1")]);
  const one = mergeSections(earlier, [of("one", "2")]);
  expect(sectionsOf(one).map(({ text }) => text)).toEqual(["run 2"]);
  expect(sectionsOf(mergeSections(one, [of("two", "3"), of(undefined, "1")])).map(({ text }) => text)).toEqual([
    ...["run 2", "run 3"],
  ]);
});

describe("a section without a service, beside one of a service", () => {
  const of = (service: string | undefined, facts: Parameters<typeof section>[0]) => section({ service, ...facts });
  const shown = (body: string) => sectionsOf(body).map(({ facts: { service = "plain", run } }) => `${service} ${run}`);

  test.each([
    ["that is later stays", "2", ["one 1", "plain 2"]],
    ["that is as new goes", "1", ["one 1"]],
    ["that is earlier goes", "0", ["one 1"]],
  ])("%s, whichever was written first", (_, run, expected) => {
    const [one, plain] = [of("one", { run: "1" }), of(undefined, { run })];
    for (const [first, second] of [
      [one, plain],
      [plain, one],
    ] as const) {
      expect(shown(mergeSections(mergeSections(undefined, [first]), [second]))).toEqual(expected);
    }
  });

  test("and what is merged comes to the same in any order", () => {
    const any = fc
      .record({
        service: fc.constantFrom(undefined, "one", "two"),
        run: fc.nat({ max: 4 }),
        second: fc.nat({ max: 4 }),
      })
      .map(({ service, run, second }) => {
        return of(service, { run: String(run), at: new Date(Date.UTC(2026, 4, 4, 10, 0, second)) });
      });
    fc.assert(
      fc.property(
        fc
          .array(any, { minLength: 1, maxLength: 6 })
          .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          let body: string | undefined;
          for (const each of shuffled) body = mergeSections(body, [each]);
          expect(body).toBe(mergeSections(undefined, all));
        },
      ),
    );
  });
});
