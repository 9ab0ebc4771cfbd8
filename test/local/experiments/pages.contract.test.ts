import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { compareExperiments } from "../../../src/judgement/compare-experiments.ts";
import { judge } from "../../../src/judgement/judge-rows.ts";
import type { CompareExperiments, LocalServiceOptions } from "../../../src/local/index.ts";
import { UNKNOWN_ID, start } from "../caller.ts";
import { ROW_IDS, experiment, get, post, row, uploaded } from "../experiment-caller.ts";
import { cardsOf, factsOf, lineOf, linkIn, textOf } from "../page-cards.ts";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=x>"'&</pre></td>`;
const DANGEROUS = /<script>alert|<img|onerror=x>|<\/pre><\/td>"/;

const score = (value: number | undefined, key = "accuracy") => ({ evaluation_scores: [{ key, score: value }] });

const compare = (tenant: string, dataset: string, ...ids: readonly string[]) =>
  `/o/${tenant}/datasets/${dataset}/compare?selectedSessions=${ids.join(",")}`;

async function twoExperiments() {
  const service = await start({ experimentDelayMilliseconds: 0 });
  const one = await uploaded(service, {
    results: [
      row(1, score(1)),
      row(2, { ...score(0.25), actual_outputs: { answer: "reply before", tokens: 12345678901234567890n.toString() } }),
      row(3, { error: "it broke" }),
    ],
  });
  const other = await uploaded(service, {
    experiment_name: "second",
    results: [row(4), row(2, { ...score(1), actual_outputs: { answer: "reply after" } }), row(1, score(0.5))],
  });
  const { id, tenant_id } = one.dataset;
  const page = await get(service, compare(tenant_id, id, one.experiment.id, other.experiment.id));
  return { service, one, other, page };
}

describe("the page of the datasets", () => {
  test("is linked from the first page, and leads to the experiments and to a comparison", async () => {
    const { service, one, other } = await twoExperiments();
    const follow = async (path: string, name: string) => linkIn((await get(service, path)).text, name);
    const datasets = await follow("/", "Datasets");
    const dataset = await follow(datasets, "questions");
    expect((await get(service, await follow(dataset, "first"))).text).toContain(one.experiment.id);
    const { text } = await get(service, dataset);
    const action = /<form action="([^"]+)" method="get">/.exec(text)?.[1] ?? "";
    const chosen = [...text.matchAll(/<option value="([^"]+)" selected>/g)].map(([, id]) => id);
    expect(chosen).toEqual([one.experiment.id, other.experiment.id]);
    const answer = await get(service, `${action}?selectedSessions=${chosen.join("&selectedSessions=")}`);
    expect(answer).toMatchObject({ status: 200 });
    expect(factsOf(answer.text)).toMatchObject({
      Baseline: expect.stringMatching(/^first #1 /),
      Compared: expect.stringMatching(/^second #2 /),
    });
    const next = await get(service, await follow(dataset, "compare with #1"));
    expect(next.text).toBe(answer.text);
  });

  test("shows how experiments are read back", async () => {
    const service = await start();
    const { text } = await get(service, "/o/any/datasets");
    expect(text).toContain("No datasets yet");
    for (const path of [
      "POST /datasets/upload-experiment",
      "/datasets/{dataset_id}/experiments",
      "/experiments/{experiment_id}/rows",
      "/api/v1",
    ]) {
      expect(textOf(text)).toContain(path);
    }
  });
});

describe("a search", () => {
  test("finds datasets, experiments of a dataset and rows of an experiment", async () => {
    const { service, one } = await twoExperiments();
    await uploaded(service, { dataset_name: "Others", experiment_name: "third" });
    const { id, tenant_id } = one.dataset;
    const textAt = async (path: string) => textOf((await get(service, path)).text);
    const datasets = await textAt("/o/any/datasets?search=OTHER");
    expect(datasets).toContain("Datasets 1 to 1 of 1");
    expect(datasets).toContain("Others");
    const experiments = await textAt(`/o/any/datasets/${id}?search=SECO`);
    expect(experiments).toContain("Experiments 1 to 1 of 1");
    expect(experiments).toContain("second #2");
    expect(await textAt(`/o/any/datasets/${id}?search=third`)).toContain("No experiments.");
    const path = compare(tenant_id, id, one.experiment.id);
    const { text } = await get(service, `${path}&search=it+broke`);
    expect(textOf(text)).toContain("Rows 1 to 1 of 1");
    expect(cardsOf(text).map(({ anchor }) => anchor)).toEqual([`row-${ROW_IDS[2]}`]);
    expect(text).toContain(`<input type="hidden" name="selectedSessions" value="${one.experiment.id}">`);
  });

  test("and the choice of two to compare stand before the links of a long list", async () => {
    const { service, one } = await twoExperiments();
    const { text } = await get(service, `/o/any/datasets/${one.dataset.id}`);
    const before = text.slice(text.indexOf("<main"), text.indexOf("<button>Compare"));
    expect(before).toContain("Baseline");
    expect(before.match(/<a /g)).toBeNull();
  });
});

describe("the page of an experiment", () => {
  test("shows its scores, its metadata and its rows", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const { dataset, experiment: made } = await uploaded(service, {
      experiment_description: "each night",
      experiment_metadata: { commit: "abc123", big: 1 },
      summary_experiment_scores: [{ key: "f1", score: 0.875 }],
      results: [row(1, score(0.5)), row(2, { ...score(0.25), error: "timed out" })],
    });
    const { text } = await get(service, compare(dataset.tenant_id, dataset.id, made.id));
    expect(text).toContain("each night");
    expect(text).toContain("commit: abc123");
    expect(lineOf(text, ">f1<")).toEqual(["f1", "0.875"]);
    expect(lineOf(text, "<td>accuracy</td>")).toEqual(["accuracy", "0.375 (2)", ""]);
    expect(factsOf(text)).toMatchObject({
      Rows: "2",
      "Rows with an error": "1",
      "Latency, median": "1 s",
      "Latency, 99th percentile": "1 s",
      Started: "2026-03-04 05:00:00 UTC",
      Took: "1 h",
    });
    expect(cardsOf(text)[1]).toEqual({
      anchor: `row-${ROW_IDS[1]}`,
      verdict: "worse",
      head: `${ROW_IDS[1]} failed 1 s`,
      scores: ["accuracy 0.25"],
      fields: {
        Inputs: "question: question 2",
        Expected: "answer: answer 2",
        Output: "answer: reply 2 Error timed out",
      },
    });
    expect(text).not.toContain('http-equiv="refresh"');
  });

  test("names a row by its case, with its own id at hand, and counts its repetitions", async () => {
    const service = await start();
    const results = [
      row(1, { run_metadata: { case_id: "refund <1>", repetition: 2 } }),
      row(2, { run_metadata: { case_id: 17 } }),
      row(3, { run_metadata: { case_id: "", repetition: null, other: { case_id: "x" } } }),
    ];
    const { dataset, experiment: one } = await uploaded(service, { results });
    const { text } = await get(service, compare(dataset.tenant_id, dataset.id, one.id));
    expect(cardsOf(text).map(({ head }) => head)).toEqual([
      "refund <1> repetition 2 1 s",
      "17 1 s",
      `${ROW_IDS[2]} 1 s`,
    ]);
    expect(text).toContain(`<a href="#row-${ROW_IDS[0]}" title="${ROW_IDS[0]}">`);
  });

  test("keeps what else the metadata of a row holds at hand", async () => {
    const service = await start();
    const run_metadata = {
      case_id: "c",
      repetition: 1,
      usage: { total_tokens: 12345678901234567890n.toString() },
      note: "<i>",
    };
    const { dataset, experiment: made } = await uploaded(service, { results: [row(1, { run_metadata }), row(2)] });
    const { text } = await get(service, compare(dataset.tenant_id, dataset.id, made.id));
    const folded = [...text.matchAll(/<details class="folded">(.*?)<\/details>/gs)].map(([, inside]) =>
      textOf(inside ?? ""),
    );
    expect(folded).toEqual(['Metadata usage: {"total_tokens":"12345678901234567890"} note: <i>']);
  });

  test("puts beside a mean how many scores it is of, which are fewer where some rows have none", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const results = [row(1, score(1)), row(2, score(0)), row(3, score(undefined))];
    const { dataset, experiment: made } = await uploaded(service, { results });
    const page = await get(service, compare(dataset.tenant_id, dataset.id, made.id));
    expect(lineOf(page.text, "<td>accuracy</td>")).toEqual(["accuracy", "0.5 (2)", ""]);
    const list = await get(service, `/o/any/datasets/${dataset.id}`);
    expect(lineOf(list.text, ">first<").slice(0, 4)).toEqual(["first #1", "0.5 (2)", "0", "3"]);
  });

  test("loads itself again while its statistics are counted", async () => {
    const service = await start({ experimentDelayMilliseconds: 60_000 });
    const { dataset, experiment: made } = await uploaded(service);
    const { text } = await get(service, compare(dataset.tenant_id, dataset.id, made.id));
    expect(text).toContain('http-equiv="refresh"');
    expect(text).toContain("being counted");
  });

  test("shows fifty rows, and the way to the others", async () => {
    const service = await start();
    const results = Array.from({ length: 120 }, (_, index) => row(1, { inputs: { n: `number ${index}.` } }));
    const { dataset, experiment: made } = await uploaded(service, { results });
    const path = compare(dataset.tenant_id, dataset.id, made.id);
    const middle = (await get(service, `${path}&offset=50`)).text;
    expect(middle).toContain("Rows 51 to 100 of 120");
    expect(middle).toMatch(/number 50\..*number 99\./s);
    expect(middle).not.toMatch(/number (?:49|100)\./);
    for (const [name, offset] of [
      ["first", 0],
      ["previous", 0],
      ["next", 100],
      ["last", 100],
    ] as const) {
      expect(linkIn(middle, name)).toBe(`${path}&offset=${offset}`);
    }
    const last = (await get(service, `${path}&offset=100`)).text;
    expect(last).toContain("Rows 101 to 120 of 120");
    expect(linkIn(last, "next")).toBe("no link to next");
    expect((await get(service, `${path}&offset=5000`)).text).toContain("No rows here, 120 in all");
  });

  test("folds a long text up, and says how much of it is not on the page", async () => {
    const service = await start();
    const long = `beginning ${"\u{1f98a}".repeat(25_000)} end`;
    const made = await uploaded(service, { results: [row(1, { actual_outputs: { text: long } })] });
    const { text } = await get(service, compare("any", made.dataset.id, made.experiment.id));
    const [, folded = "", whole = ""] =
      /<details><summary><pre>(.*?)<\/pre>.*?<\/summary><pre>(.*?)<\/pre><\/details>/s.exec(text) ?? [];
    expect(folded).toMatch(/^text: beginning \u{1f98a}+…$/u);
    expect(folded.length).toBeLessThan(400);
    expect(whole).toMatch(/^text: beginning \u{1f98a}+\n… \d+ more characters$/u);
    expect(text).toContain(`show all ${long.length + "text: ".length} characters`);
  });
});

/** The page of two experiments, of 30 rows each, whose scores are these. */
async function pageOfScores(
  one: Scores,
  other: Scores,
  options: LocalServiceOptions = { compare: compareExperiments },
) {
  const service = await start({ experimentDelayMilliseconds: 0, ...options });
  const upload = (experiment_name: string, scores: Scores) =>
    uploaded(service, {
      experiment_name,
      results: Array.from({ length: 30 }, (_, at) =>
        row(1, {
          row_id: `${String(at).padStart(8, "0")}-0000-5000-8000-000000000000`,
          evaluation_scores: Object.entries(scores).map(([key, score]) => ({ key, score: score + at / 1000 })),
          run_metadata: { case_id: `case ${String(at)}` },
        }),
      ),
    });
  const before = await upload("first", one);
  const now = await upload("second", other);
  const { text, status } = await get(
    service,
    compare("any", before.dataset.id, before.experiment.id, now.experiment.id),
  );
  expect(status).toBe(200);
  return { service, text, shown: textOf(text.replaceAll(/<script\b.*?<\/script>/gs, "")) };
}
type Scores = Readonly<Record<string, number>>;

describe("the comparison of two experiments", () => {
  test("is the judgement: 30 rows whose cost goes from 0.1 to 0.5 regressed", async () => {
    const { shown, text } = await pageOfScores({ cost: 0.1 }, { cost: 0.5 });
    const costs = (start: number) =>
      Array.from({ length: 30 }, (_, at) => ({ inputs: at, scores: { cost: start + at / 1000 } }));
    const { judgement } = await judge({
      results: { rows: costs(0.5) },
      baseline: { rows: costs(0.1) },
      gates: '"cost" not regressed',
    });
    expect([judgement.status, judgement.verdict]).toEqual(["failed", "regressed"]);
    expect(shown).toContain(`Failed questions ${judgement.headline}`);
    expect(shown).toContain(judgement.rules[0]?.found);
    expect(shown).toContain('Cases by "cost": 30 worse');
    expect(text.match(/<h1/g)).toHaveLength(1);
  });

  test("leads to both experiments and to the other way round", async () => {
    const { service, text } = await pageOfScores({ quality: 0.1 }, { quality: 0.5 });
    expect((await get(service, linkIn(text, "second"))).text).toContain("<h1>second</h1>");
    const swapped = await get(service, linkIn(text, "Swap the two"));
    expect(factsOf(swapped.text)["Baseline"]).toContain("second #2");
    expect(swapped.text).toContain("Regressed: quality went from 0.515 to 0.115");
  });

  test("may run its own script, and no other", async () => {
    const { service, text } = await pageOfScores({ quality: 0.1 }, { quality: 0.5 });
    const [[, script = ""] = [], ...others] = text.matchAll(/<script>(.*?)<\/script>/gs);
    expect(others).toEqual([]);
    const reply = await get(service, linkIn(text, "Swap the two"));
    const digest = createHash("sha256").update(script).digest("base64");
    expect(reply.headers["content-security-policy"]).toContain(`script-src 'sha256-${digest}';`);
  });

  test("is made once for a page that is loaded again, and again after an error", async () => {
    let [calls, isBroken] = [0, true];
    const count: CompareExperiments = async (one, other) => {
      calls += 1;
      if (isBroken) throw new Error("It broke.");
      return compareExperiments(one, other);
    };
    const service = await start({ experimentDelayMilliseconds: 0, compare: count });
    const [one, other] = [await uploaded(service), await uploaded(service, { experiment_name: "second" })];
    const path = compare("any", one.dataset.id, one.experiment.id, other.experiment.id);
    expect((await get(service, path)).status).toBe(500);
    isBroken = false;
    const [first, second] = [await get(service, path), await get(service, path)];
    expect(first.status).toBe(200);
    expect(second.text).toBe(first.text);
    expect(calls).toBe(2);
  });

  test("waits until the scores are counted", async () => {
    const service = await start({ experimentDelayMilliseconds: 60_000, compare: () => Promise.reject(new Error()) });
    const [one, other] = [await uploaded(service), await uploaded(service, { experiment_name: "second" })];
    const { text } = await get(service, compare("any", one.dataset.id, one.experiment.id, other.experiment.id));
    expect(text).toContain("The scores are being counted; the page reloads itself.");
    expect(text).toContain('http-equiv="refresh"');
  });

  test("says why two cannot be compared, and shows their numbers", async () => {
    const service = await start({ experimentDelayMilliseconds: 0, compare: compareExperiments });
    const scoredBy = (experiment_name: string, evaluator: string) =>
      uploaded(service, { experiment_name, experiment_metadata: { evaluator } });
    const [one, other] = [await scoredBy("first", "judge-1"), await scoredBy("second", "judge-2")];
    const { text } = await get(service, compare("any", one.dataset.id, one.experiment.id, other.experiment.id));
    expect(textOf(text)).toContain("The two cannot be compared: The evaluator is not that of the baseline");
    expect(lineOf(text, "Mean of accuracy")).toEqual(["Mean of accuracy", "1 (2)", "1 (2)"]);
  });

  test("without a function that compares shows the numbers beside each other, and says so", async () => {
    const { text, shown } = await pageOfScores({ cost: 0.1 }, { cost: 0.5 }, {});
    expect(shown).toContain("started without the function compare , so nothing is judged here.");
    expect(lineOf(text, "Mean of cost")).toEqual(["Mean of cost", "0.1145 (30)", "0.5145 (30)"]);
    expect(lineOf(text, "Latency, median")).toEqual(["Latency, median", "1 s", "1 s"]);
    expect(shown).not.toMatch(/worse|better|regressed/);
  });

  test("of an unknown experiment, or one of another dataset, answers 404, and of none 422", async () => {
    const { service, one } = await twoExperiments();
    const stranger = await uploaded(service, { experiment_name: "third", dataset_name: "others" });
    for (const id of [UNKNOWN_ID, stranger.experiment.id]) {
      const reply = await get(service, compare("any", one.dataset.id, one.experiment.id, id));
      expect(reply).toMatchObject({ status: 404, json: { detail: `Experiment ID ${id} not found.` } });
    }
    expect((await get(service, `/o/any/datasets/${one.dataset.id}/compare`)).status).toBe(422);
  });
});

test("foreign text is text on each page, in each place", async () => {
  const service = await start({ experimentDelayMilliseconds: 0, compare: compareExperiments });
  const hostile = (name: string) => ({
    experiment_name: `${name} ${HOSTILE}`,
    experiment_description: HOSTILE,
    dataset_name: HOSTILE,
    dataset_description: HOSTILE,
    experiment_metadata: { [HOSTILE]: HOSTILE, list: [HOSTILE] },
    summary_experiment_scores: [{ key: HOSTILE, value: HOSTILE }],
    results: [
      row(1, {
        inputs: { [HOSTILE]: HOSTILE },
        expected_outputs: { a: { [HOSTILE]: [HOSTILE] } },
        actual_outputs: { a: `${HOSTILE} ${name}` },
        evaluation_scores: [{ key: HOSTILE, score: name.length, value: `${HOSTILE} ${name}` }],
        error: `${HOSTILE} ${name}`,
        run_name: HOSTILE,
      }),
    ],
  });
  const one = await uploaded(service, hostile("one"));
  const other = await uploaded(service, hostile("other"));
  const dataset = `/o/any/datasets/${one.dataset.id}`;
  const pages = [
    "/o/any/datasets",
    dataset,
    compare("any", one.dataset.id, one.experiment.id),
    compare("any", one.dataset.id, one.experiment.id, other.experiment.id),
  ];
  for (const path of pages) {
    const { status, text, headers } = await get(service, path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain("alert(1)");
    expect(text).not.toMatch(DANGEROUS);
    expect(headers["content-security-policy"]).toMatch(/default-src 'none'/);
  }
});

test("a page asks for the key as the password of a login", async () => {
  const service = await start({ apiKey: "key-1" });
  expect((await post(service, experiment(), { headers: { "x-api-key": "key-1" } })).status).toBe(200);
  expect(await get(service, "/o/any/datasets")).toMatchObject({
    status: 401,
    headers: { "www-authenticate": expect.stringContaining("Basic") },
  });
});
