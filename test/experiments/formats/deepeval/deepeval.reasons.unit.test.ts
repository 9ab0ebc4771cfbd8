import { describe, expect, test } from "vitest";
import { deepeval } from "../../../../src/experiments/formats/deepeval/deepeval.ts";
import { readAll } from "../reading.ts";
import { fixtureFile } from "../stored-file.ts";

describe("deepeval", () => {
  test.each(["stopped.json", "result.json"])("says in %s which metrics failed, and why", async (name) => {
    const { rows } = await readAll(deepeval, fixtureFile(`deepeval/${name}`));
    const [right, wrong] = rows.map(({ scores }) => scores.find(({ key }) => key === "success")?.comment);
    expect(right).toBeUndefined();
    expect(wrong).toMatch(/^Exact: the score is 0(?:\.0)?, and its threshold is 0\.5: Exact of 'Barcelona'\n/);
    expect(wrong).toContain(name === "result.json" ? "Judged: RuntimeError: the judge has no key" : "Judged: deepeval");
    const judged = rows[1]?.scores.find(({ key }) => key === "Judged");
    expect(judged?.value ?? undefined).toBeUndefined();
    expect(judged?.comment).toContain(name === "result.json" ? "no key" : "no score and no error");
  });
});
