import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fields } from "../../../../src/experiments/formats/shared/fields.ts";
import { ALL_OTHERS, Ledger, type ValuePlace } from "../../../../src/experiments/formats/shared/ledger.ts";
import type { JsonValue } from "../../../../src/files/json/value.ts";
import "../../../property-runs.ts";

function look(ledger: Ledger, value: JsonValue, place: Partial<ValuePlace> = {}): void {
  const row = Fields.of(value, { file: "r.json", ...place }, { ledger, fault: () => undefined });
  row.value("input");
  row.object("config", ALL_OTHERS).value("label");
  for (const metric of row.list("metrics", ["id"], { hasGaps: true })) metric.value("name");
  row.entries("byName", ["id"], (metric) => metric.value("name"));
  row.end();
}

function noted(value: JsonValue, place?: Partial<ValuePlace>) {
  const ledger = new Ledger();
  look(ledger, value, place);
  const { unread, leftOut, scores } = ledger;
  return { unread, leftOut, scores };
}

describe("the keys of a record", () => {
  test.each<[string, JsonValue, string[], string[]]>([
    ["are read with all below them", { input: { a: { b: 1 } } }, [], []],
    ["are named with those above them", { metrics: [{ name: "n", x: 1 }, null, { name: "m", y: 1 }] }, ["x", "y"], []],
    ["are left out where a list says so", { metrics: [{ name: "n", id: 7 }] }, [], ["id"]],
    ["below a name that is data stand at the level of that name", { byName: { any: { name: "n", x: 1 } } }, ["x"], []],
    ["without a value are not counted", { metrics: [{ name: "n", x: null, y: "", z: [], v: {} }] }, [], []],
    ["of a configuration are left out", { config: { label: "l", x: 1 } }, [], ["x"]],
  ])("%s", (_, value, unread, leftOut) => {
    const above = Object.keys(value as object)[0] ?? "";
    expect(noted(value)).toEqual({
      unread: unread.map((key) => `${above}.${key}`),
      leftOut: leftOut.map((key) => `${above}.${key}`),
      scores: [],
    });
  });

  test("have the keys of their place above them, without the numbers of lists", () => {
    expect(noted({ x: 1 }, { path: "runs.0.cases.12" }).unread).toEqual(["runs.cases.x"]);
    expect(noted({ x: 1 }, { path: "runs.0", level: "cases" }).unread).toEqual(["cases.x"]);
  });

  test("are read where a later record shows it", () => {
    const ledger = new Ledger();
    ledger.note("late", [{ name: "a", score: 1 }]);
    expect(ledger.scores).toEqual(["late"]);
    ledger.read(["late"]);
    ledger.note("late", 1);
    expect([ledger.unread, ledger.scores]).toEqual([[], []]);
  });

  test(
    "that are many, and other ones in each record, do not fill the memory, and hide no scores",
    { tags: "slow" },
    () => {
      const ledger = new Ledger();
      for (let row = 0; row < 20_000; row++) {
        look(ledger, { [`key-${String(row)}`]: row }, { path: `list-${String(row)}.${String(row)}` });
        ledger.note(`key-${String(row)}`, row);
      }
      expect(ledger.unread.length).toBeLessThanOrEqual(200);
      expect(ledger.unread.length).toBeGreaterThan(150);
      ledger.note("last", { scores: { exact: 1 } });
      expect(ledger.scores).toEqual(["last.scores"]);
    },
  );
});

test.each<[string, JsonValue, string | undefined]>([
  ["a list of names and scores", { graded: [{ metric: "exact", score: 0.5 }] }, "graded"],
  [
    "a list far below",
    { trace: { spans: [{ metricsData: [{ name: "brief", score: 1 }] }] } },
    "trace.spans.metricsData",
  ],
  ["values in a list called so", { feedback: [{ key: "exact", value: true }] }, "feedback"],
  ["an object called so", { evalScores: { exact: 0.5 } }, "evalScores"],
  ["an object called so, of objects", { ratings: { exact: { value: 1 } } }, "ratings"],
  ["settings", { settings: [{ name: "temperature", value: 0.5 }] }, undefined],
  ["documents that were found", { documents: [{ text: "t", score: 0.5 }] }, undefined],
  ["counts", { usage: { total: 12 } }, undefined],
  ["texts called so", { feedback: "good" }, undefined],
])("what looks like scores is %s", (_, value, scores) => {
  expect(noted(value).scores).toEqual(scores === undefined ? [] : [scores]);
});

test("each key of any record is read, left out or named, and only one of them", () => {
  const key = fc.constantFrom("input", "id", "x", "y", "metrics", "constructor", "__proto__", "0");
  const metric = fc.dictionary(key, fc.constantFrom(1, "a"), { maxKeys: 4 }).map((more) => ({ ...more, name: "n" }));
  const record = fc
    .tuple(
      fc.dictionary(key, fc.constantFrom(1, "a"), { maxKeys: 5 }),
      fc.array(metric, { minLength: 1, maxLength: 3 }),
    )
    .map(([more, metrics]) => ({ ...more, metrics }));
  fc.assert(
    fc.property(fc.array(record, { maxLength: 5 }), (records) => {
      const ledger = new Ledger();
      for (const each of records) look(ledger, each);
      const unread = records.flatMap((each) => [
        ...Object.keys(each).filter((name) => !["input", "metrics"].includes(name)),
        ...each.metrics.flatMap((one) =>
          Object.keys(one)
            .filter((name) => !["name", "id"].includes(name))
            .map(below),
        ),
      ]);
      const leftOut = records.flatMap(({ metrics }) => metrics.flatMap((one) => ("id" in one ? [below("id")] : [])));
      expect(new Set(ledger.unread)).toEqual(new Set(unread));
      expect(new Set(ledger.leftOut)).toEqual(new Set(leftOut));
    }),
  );
});

function below(name: string): string {
  return `metrics.${name}`;
}
