import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { BaselineError } from "../../src/judgement/judge-results.ts";
import { compareExperiments } from "../../src/judgement/compare-experiments.ts";
import { ResultsError } from "../../src/judgement/index.ts";
import type { StoredExperiment } from "../../src/pages/experiment-comparison.ts";
import { textOf } from "../local/page-cards.ts";

type Fields = Readonly<Record<string, unknown>>;

/** An experiment of 30 rows with these scores, of which each is a thousandth above that of the row before. */
function experiment(name: string, scores: Readonly<Record<string, number>>, { metadata = {}, ...more }: Fields = {}) {
  const rows = Array.from({ length: 30 }, (_, at) => ({
    row_id: `${String(at).padStart(8, "0")}-0000-5000-8000-000000000000`,
    inputs: { question: at },
    actual_outputs: { answer: `<i>${name}</i>` },
    evaluation_scores: Object.entries(scores).map(([key, score]) => ({ key, score: score + at / 1000 })),
    start_time: "2026-03-04T05:10:00Z",
    end_time: "2026-03-04T05:10:01Z",
    run_metadata: { case_id: `case ${String(at)}` },
    ...more,
  }));
  const head = JSON.stringify({ dataset_name: "questions", experiment_metadata: metadata });
  return { name, body: [`${head.slice(0, -1)},"results":[`, ...rows.flatMap(pieces), "]}"] };
}

const pieces = (row: object, at: number) => [at === 0 ? "" : ",", JSON.stringify(row)];

async function shownOf(baseline: StoredExperiment, compared: StoredExperiment) {
  const { html } = await compareExperiments(baseline, compared);
  const data: unknown = JSON.parse(/id="cases-data">(.*?)<\/script>/s.exec(html)?.[1] ?? "");
  return { html, data, shown: textOf(html.replaceAll(/<script\b.*?<\/script>|<svg\b.*?<\/svg>/gs, "")) };
}

describe("the comparison of two experiments", () => {
  test("judges each metric by `not regressed`, scores above what was measured", async () => {
    const one = experiment("first", { quality: 0.5, cost: 0.1 });
    const { shown, html } = await shownOf(one, experiment("second", { quality: 0.5, cost: 0.5 }));
    expect(shown).toContain('Failed questions Regressed: "cost" rose by 350.6 % on 30 cases');
    const rules = [...html.matchAll(/<code>([^<]* not regressed)<\/code>/g)].map(([, rule = ""]) => textOf(rule));
    expect(rules).toEqual(['"cost" not regressed', "quality not regressed", "latency not regressed"]);
  });

  test("is incomplete where an agent was asked and nothing was measured", async () => {
    const away = experiment("second", { quality: 0.1 }, { run_metadata: { outcome: "unreachable" } });
    const { shown } = await shownOf(experiment("first", { quality: 0.5 }, { run_metadata: {} }), away);
    expect(shown).toContain("Incomplete questions Incomplete: Nothing was measured in 30 of 30 rows (30 unreachable)");
    expect(shown).toContain("Rows not measured 30 unreachable");
  });

  test("takes the directions that the metadata state", async () => {
    const metadata = { score_directions: { rubric_drift: "lower" } };
    const one = experiment("first", { rubric_drift: 0.1 }, { metadata });
    const { shown } = await shownOf(one, experiment("second", { rubric_drift: 0.5 }, { metadata }));
    expect(shown).toContain("Failed questions Regressed: rubric_drift went from 0.115 to 0.515");
    expect(shown).toContain("better: lower (file)");
  });

  test("shows numbers and no verdict where the name may mean both", async () => {
    const { shown, html, data } = await shownOf(
      experiment("first", { toxicity: 0.1 }),
      experiment("second", { toxicity: 0.5 }),
    );
    expect(shown).toContain("toxicity better: not known +40.0 pp");
    expect(shown).toContain("30 changed , 0 the same");
    expect(shown).not.toContain("toxicity not regressed");
    // Of latency alone: a plot has a side for harm.
    expect(html.match(/class="forest" role="img"/g)).toHaveLength(1);
    expect(data).toMatchObject({
      metrics: [{ name: "latency" }, { name: "toxicity", traits: Array<number>(30).fill(0) }],
    });
  });

  test("is made of the chosen two, also of one workflow run and with many errors", async () => {
    const same = { metadata: { run_id: "7" }, error: "It broke." };
    const { shown } = await shownOf(
      experiment("first", { quality: 0.5 }, same),
      experiment("second", { quality: 0.5 }, same),
    );
    expect(shown).toContain("Rows with an error 30 30");
    expect(shown).not.toContain("left out of the baseline");
  });

  test("ends in an error that says why the two cannot be compared, and leaves no file", async () => {
    const before = await readdir(tmpdir());
    const scoredBy = (evaluator: string) => experiment(evaluator, { quality: 1 }, { metadata: { evaluator } });
    await expect(compareExperiments(scoredBy("a"), scoredBy("b"))).rejects.toThrow(BaselineError);
    const unreadable = { name: "second", body: ['{"results":[{"inputs":'] };
    await expect(compareExperiments(scoredBy("a"), unreadable)).rejects.toThrow(ResultsError);
    const left = (await readdir(tmpdir())).filter((name) => name.startsWith("graph-deploy-compare-"));
    expect(left.filter((name) => !before.includes(name))).toEqual([]);
  });
});
