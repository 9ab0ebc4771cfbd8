import { describe, expect, test } from "vitest";
import { differ, differAt, topKeys, withIgnoredSecrets } from "../../../../pulumi-provider/core/state/changes.ts";

test.each([
  [null, undefined, false],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, false],
  ["", undefined, true],
  [0, null, true],
])("%j and %j differ: %j", (before, after, differs) => {
  expect(differ(before, after)).toBe(differs);
});

describe("a path of Pulumi", () => {
  const before = { name: "a", secrets: { KEY: "1", "a.b": "1", 'q"q': "1" }, triggers: [1, 2], map: { x: { y: 1 } } };
  const after = { name: "a", secrets: { KEY: "2", "a.b": "2", 'q"q': "2" }, triggers: [1, 3], map: { x: { y: 2 } } };

  test.each([
    ["name", false],
    ["secrets", true],
    ["secrets.KEY", true],
    ["secrets.OTHER", false],
    ['secrets["a.b"]', true],
    ['secrets["q\\"q"]', true],
    ["secrets.a.b", false],
    ["triggers[0]", false],
    ["triggers[1]", true],
    ["triggers[*]", true],
    ["map.*.y", true],
    ["map.*.z", false],
    ["*", true],
    ["name.length", false],
    ["constructor", false],
  ])("%s differs: %j", (path, differs) => {
    expect(differAt(before, after, path)).toBe(differs);
  });

  test("speaks of a key of the top level, or of all", () => {
    const keys = ["name", "secrets"];
    expect([topKeys("secrets.KEY", keys), topKeys("*", keys), topKeys("other", keys)]).toEqual([["secrets"], keys, []]);
  });
});

describe("secrets whose changes are ignored", () => {
  const news = { secrets: { A: "2", B: "2", C: "2" }, ignoreSecretChanges: ["A", "C"] };

  test("keep the value that was sent, and a new one is sent", () => {
    expect(withIgnoredSecrets({ secrets: { A: "1", B: "1" } }, news)["secrets"]).toEqual({ A: "1", B: "2", C: "2" });
  });

  test("are compared as they are where nothing was sent", () => {
    expect(withIgnoredSecrets({}, news)).toBe(news);
    expect(withIgnoredSecrets({ secrets: { A: null } }, news)["secrets"]).toEqual(news.secrets);
  });
});
