import { describe, expect, test } from "vitest";
import { TRAITS, type Trait } from "../../../src/judgement/report/cases-data.ts";
import { tableOfCases } from "../../../src/judgement/report/cases-table.ts";
import { madeJudged, type TextCase } from "./report-rig.ts";

const before: readonly TextCase[] = [
  { name: "broken", scores: { ok: [1, 1], latency: [100, 100] } },
  { name: "mended", scores: { ok: [0, 0], latency: [100, 100] } },
  { name: "shaky", scores: { ok: [1, 1], latency: [100, 100] } },
  { name: "steady", scores: { ok: [1, 1], latency: [100, 100] } },
  { name: "lost", scores: { ok: [1, 1], latency: [100, 100] } },
  { name: "other", scores: { ok: [1, 1], latency: [100, 100] } },
  { name: "gone", scores: { ok: [1, 1], latency: [100, 100] } },
];
const now: readonly TextCase[] = [
  { name: "broken", scores: { ok: [0, 0], latency: [90, 90] }, metadata: { language: "de", tier: 2 } },
  { name: "mended", scores: { ok: [1, 1], latency: [100, 100] }, metadata: { language: "en" } },
  { name: "shaky", scores: { ok: [1, 0], latency: [150, 150] } },
  { name: "steady", scores: { ok: [1, 1], latency: [100, 100] } },
  { name: "lost", scores: { ok: [null, null], latency: [100, 100] }, errors: 1 },
  { name: "other", scores: { ok: [0, 0], latency: [100, 100] }, digest: "e" },
  { name: "new", scores: { ok: [1, 1], latency: [100, 100] } },
];

describe("the table of cases", () => {
  const judged = madeJudged({ now, before });
  const { data, labels, cases } = tableOfCases({ ...judged });
  const columns = (name: string) => data.metrics.find((each) => each.name === name)!;
  const traitsOf = (metric: string, name: string) => {
    const bits = columns(metric).traits[data.names.indexOf(name)] ?? 0;
    return TRAITS.filter((_, at) => (bits & (1 << at)) !== 0);
  };

  test("has every case of both sides once, each beside its cases", () => {
    expect(data.names.toSorted()).toEqual([...before.map(({ name }) => name), "new"].toSorted());
    expect(cases.map(({ now: one, baseline }) => (one ?? baseline)?.name)).toEqual(data.names);
  });

  test("begins with the most harm in the metric of the first broken rule", () => {
    const { data: sorted } = tableOfCases(madeJudged({ now, before, gates: "ok >= 0.99" }));
    expect(sorted.metrics[sorted.first]?.name).toBe("ok");
    expect(sorted.names.slice(0, 3)).toEqual(["broken", "shaky", "lost"]);
    const { data: slow } = tableOfCases(madeJudged({ now, before, gates: "latency <= 1ms" }));
    expect(slow.metrics[slow.first]?.name).toBe("latency");
    expect(slow.names[0]).toBe("shaky");
  });

  test("marks each of 10,000 cases, also those beyond the lists of the judgement", { tags: "slow" }, () => {
    const side = (value: number): TextCase[] =>
      Array.from({ length: 10_000 }, (_, at) => ({
        name: `case ${String(at)}`,
        scores: { ok: at % 2 === 0 ? value : 1 },
      }));
    const many = madeJudged({ now: side(0), before: side(1) });
    expect(many.judgement.cases.newlyFailing).toHaveLength(1_000);
    const { data: table } = tableOfCases(many);
    const bits = table.metrics[0]?.traits ?? [];
    const marked = (trait: Trait) => bits.filter((each) => (each & (1 << TRAITS.indexOf(trait))) !== 0).length;
    expect([marked("newly failing"), marked("same")]).toEqual([5_000, 5_000]);
  });

  test("says what happened to each case", () => {
    expect(Object.fromEntries(data.names.map((name) => [name, traitsOf("ok", name)]))).toEqual({
      broken: ["newly failing"],
      mended: ["fixed"],
      shaky: ["newly flaky", "flaky"],
      steady: ["same"],
      lost: ["without a score", "with error"],
      other: ["changed"],
      gone: ["only in the baseline"],
      new: ["only now"],
    });
    expect(traitsOf("latency", "broken")).toEqual(["better"]);
  });

  test("counts what the judgement counts", () => {
    const { cases: lists } = judged.judgement;
    const count = (trait: Trait, metric: string) => {
      const bit = 1 << TRAITS.indexOf(trait);
      return columns(metric).traits.filter((bits) => (bits & bit) !== 0).length;
    };
    const listed = (list: keyof typeof lists) =>
      lists[list].filter(({ metric }) => metric === "ok" || metric === undefined).length;
    const pairs: readonly (readonly [Trait, keyof typeof lists])[] = [
      ["newly failing", "newlyFailing"],
      ["worse", "worse"],
      ["newly flaky", "newlyFlaky"],
      ["flaky", "flaky"],
      ["fixed", "fixed"],
      ["with error", "errors"],
      ["without a score", "missing"],
      ["changed", "changed"],
      ["only now", "added"],
      ["only in the baseline", "removed"],
    ];
    for (const [trait, list] of pairs) expect([trait, count(trait, "ok")]).toEqual([trait, listed(list)]);
  });

  test("writes values as people read them", () => {
    const at = data.names.indexOf("shaky");
    const { baselineTexts, nowTexts, changeTexts, harm } = columns("latency");
    expect([baselineTexts[at], nowTexts[at], changeTexts[at], harm[at]]).toEqual(["0.1 s", "0.2 s", "+50 ms", 50]);
    expect(columns("ok").changeTexts[at]).toBe("−0.5");
  });

  test("offers the metadata of its cases with counts", () => {
    expect(labels.map(({ key, value, cases: count }) => [key, value, count])).toEqual(
      expect.arrayContaining([
        ["language", "de", 1],
        ["tier", "2", 1],
      ]),
    );
    const at = data.names.indexOf("broken");
    expect(data.metadata[at]?.map((label) => data.labels[label])).toEqual(["language = de", "tier = 2"]);
  });

  test("keeps the cases with the most harm of too many", () => {
    const many = Array.from({ length: 25 }, (_, at) => ({ name: `c${String(at)}`, scores: { ok: 1 } }));
    const one = many.map((each, at) => (at === 7 ? { ...each, scores: { ok: 0 } } : each));
    const found = tableOfCases(madeJudged({ now: one, before: many }), 20);
    expect(found.total).toBe(25);
    expect(found.data.names).toHaveLength(20);
    expect(found.data.names[0]).toBe("c7");
  });
});
