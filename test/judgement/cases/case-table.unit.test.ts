import fc from "fast-check";
import { expect, test } from "vitest";
import { valuesIn } from "../../../src/judgement/cases/stored-case.ts";
import { plain } from "./cases-rig.ts";
import { keyOf, setOf, trial, trials } from "./made-sets.ts";

test("trials are grouped by case, in the order of keys, with their values in the order of metrics", () => {
  const set = setOf([
    trial(1, { tone: 0.5, accuracy: 1 }, { place: { file: "a.jsonl", line: 1 } }),
    trial(2, { accuracy: 0 }, { hasError: true, place: { file: "b.json", row: 4 } }),
    trial(1, { latency: 12 }, { metadata: { number: 1, more: true }, place: { file: "b.json" } }),
  ]);
  expect([...set.metrics.keys()]).toEqual(["accuracy", "latency", "tone"]);
  const keys = [...set.cases].map(({ key }) => key);
  expect(keys).toEqual([keyOf(1), keyOf(2)].toSorted());
  const [one, two] = [keyOf(1), keyOf(2)].map((key) => plain(set).cases.find((each) => each.key === key));
  expect(one).toMatchObject({
    name: "case 1",
    metadata: { number: 1 },
    trials: [
      { values: [1, Number.NaN, 0.5], hasError: false, place: { file: "a.jsonl", line: 1 } },
      { values: [Number.NaN, 12, Number.NaN], hasError: false, place: { file: "b.json" } },
    ],
  });
  expect(two?.trials).toEqual([
    {
      values: [0, Number.NaN, Number.NaN],
      hasError: true,
      start: undefined,
      unscored: [],
      place: { file: "b.json", row: 4 },
      error: undefined,
      outputs: undefined,
    },
  ]);
});

test("an empty table is a set without cases and metrics", () => {
  expect(plain(setOf([]))).toMatchObject({ metrics: {}, cases: [] });
});

test("a case without a name is called by the first digits of its key", () => {
  const [only] = setOf([trial(1, {}, { name: undefined })]).cases;
  expect(only?.name).toBe(keyOf(1).slice(0, 8));
});

test("texts are kept where they are given", () => {
  const texts = { inputs: "?", expected: "A", outputs: "B", error: "broke" };
  const [only] = plain(setOf([trial(1, {}, { ...texts, hasError: true })])).cases;
  expect(only).toMatchObject({ inputs: "?", expected: "A", trials: [{ outputs: "B", error: "broke" }] });
});

test("a set does not depend on the order of its trials", { tags: "slow" }, () => {
  fc.assert(
    fc.property(trials, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (given, random) => {
      const order = new Map(given.map((each) => [each, random.next().value ?? 0]));
      const shuffled = given.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
      expect(plain(setOf(shuffled))).toEqual(plain(setOf(given)));
    }),
  );
});

test("no trial and no value is lost, but for what rounding brought over an end of shares", { tags: "slow" }, () => {
  fc.assert(
    fc.property(trials, (given) => {
      const set = setOf(given);
      const settled = (value: number) => {
        const end = [0, 1, -1].find((each) => Math.abs(value - each) <= 1.001e-6);
        return end ?? value;
      };
      const sum = (values: Iterable<number>) =>
        [...values]
          .filter((each) => !Number.isNaN(each))
          .map(settled)
          .toSorted();
      const all = [...set.cases].flatMap((each) => each.trials.flatMap(({ values }) => [...values]));
      const wanted = given.flatMap((each) => [...each.values].map(([, value]) => value + 0));
      expect(sum(all)).toEqual(sum(wanted));
      expect([...set.cases].flatMap((each) => each.trials)).toHaveLength(given.length);
    }),
  );
});

test("the values of a metric are those of its trials", () => {
  fc.assert(
    fc.property(trials, (given) => {
      const set = setOf(given);
      const all = [...set.cases].flatMap((one) => one.trials);
      for (const [at, metric] of [...set.metrics.keys(), "none"].entries()) {
        expect([...valuesIn(set, metric)]).toEqual(all.map(({ values }) => values[at] ?? Number.NaN));
      }
    }),
  );
});
