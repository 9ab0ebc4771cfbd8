import { describe, expect, test } from "vitest";
import { UNKNOWN_ID, start } from "../caller.ts";
import { ROW_IDS, experiment, get, post, row, uploaded } from "../experiment-caller.ts";
import { cardsOf, factsOf, lineOf, linkIn, textOf } from "../page-cards.ts";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=x>"'&</pre></td>`;
const DANGEROUS = /<script|<img|onerror=x>|<\/pre><\/td>"/;

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
    expect(textOf(answer.text)).toContain("all 4 worse 1 better 1 only in the compared one 1 only in the baseline 1");
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
    const { experiment: other } = await uploaded(service, { experiment_name: "second", results });
    for (const ids of [[one.id], [one.id, other.id]]) {
      const { text } = await get(service, compare(dataset.tenant_id, dataset.id, ...ids));
      const heads = cardsOf(text).map(({ head }) => head.replace(/ (?:same scores )?1 s$/, ""));
      expect(heads.map((head) => head.replace(" same scores", ""))).toEqual([
        "refund <1> repetition 2",
        "17",
        ROW_IDS[2],
      ]);
      expect(text).toContain(`<a href="#row-${ROW_IDS[0]}" title="${ROW_IDS[0]}">`);
    }
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
});

describe("the comparison of two experiments", () => {
  test("puts the rows of one id side by side, with what has changed", async () => {
    const { page } = await twoExperiments();
    expect(cardsOf(page.text).find(({ anchor }) => anchor === `row-${ROW_IDS[1]}`)).toEqual({
      anchor: `row-${ROW_IDS[1]}`,
      verdict: "better",
      head: `${ROW_IDS[1]} better 1 s`,
      scores: ["accuracy 0.25 → 1 ▲ +0.75 better"],
      fields: {
        Inputs: "question: question 2",
        Expected: "answer: answer 2",
        Baseline: "answer: reply before tokens: 12345678901234567890",
        Compared: "answer: reply after",
      },
    });
  });

  test("shows what is worse first, and rows that only one of them has", async () => {
    const { page } = await twoExperiments();
    const cards = cardsOf(page.text);
    expect(cards.map(({ anchor, verdict }) => [anchor, verdict])).toEqual([
      [`row-${ROW_IDS[0]}`, "worse"],
      [`row-${ROW_IDS[1]}`, "better"],
      [`row-${ROW_IDS[3]}`, "only-compared"],
      [`row-${ROW_IDS[2]}`, "only-baseline"],
    ]);
    expect(cards[0]?.scores).toEqual(["accuracy 1 → 0.5 ▼ -0.5 worse"]);
    expect(cards[2]).toMatchObject({ fields: { Compared: "answer: reply 4" }, scores: ["accuracy 1"] });
    expect(cards[2]?.head).toContain("only in the compared one");
    expect(cards[3]).toMatchObject({ fields: { Baseline: "answer: reply 3 Error it broke" } });
    expect(cards[3]?.head).toContain("only in the baseline");
  });

  test("shows the rows of one verdict when its link is followed", async () => {
    const { service, page } = await twoExperiments();
    for (const [name, id] of [
      ["worse 1", ROW_IDS[0]],
      ["better 1", ROW_IDS[1]],
      ["only in the compared one 1", ROW_IDS[3]],
      ["only in the baseline 1", ROW_IDS[2]],
    ] as const) {
      const { text } = await get(service, linkIn(page.text, name));
      expect(cardsOf(text).map(({ anchor }) => anchor)).toEqual([`row-${id}`]);
      expect(text).toContain("Rows 1 to 1 of 1");
    }
    expect(linkIn(page.text, "same scores 0")).toBe("no link to same scores 0");
    expect((await get(service, `${linkIn(page.text, "worse 1")}x`)).status).toBe(422);
  });

  test("keeps the verdict while its pages are turned", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const results = (value: number) =>
      Array.from({ length: 140 }, (_, index) =>
        row(1, { ...score(index % 2 === 0 ? 1 : value), inputs: { n: `number ${index}.` } }),
      );
    const one = await uploaded(service, { results: results(1) });
    const other = await uploaded(service, { experiment_name: "second", results: results(0) });
    const path = compare(one.dataset.tenant_id, one.dataset.id, one.experiment.id, other.experiment.id);
    const all = (await get(service, path)).text;
    expect(cardsOf(all)).toHaveLength(50);
    const worse = (await get(service, linkIn(all, "worse 70"))).text;
    const rest = cardsOf((await get(service, linkIn(worse, "next"))).text);
    expect(rest).toHaveLength(20);
    expect(rest.map(({ verdict }) => verdict)).toEqual(rest.map(() => "worse"));
    expect(rest.at(-1)?.fields["Inputs"]).toBe("n: number 139.");
    expect(rest.at(-1)?.anchor).toBe(`row-${ROW_IDS[0]}-140`);
  });

  test("shows the means and their change", async () => {
    const { page } = await twoExperiments();
    expect(lineOf(page.text, "Mean of accuracy")).toEqual([
      "Mean of accuracy",
      "0.75 (3)",
      "0.8333 (3)",
      "▲ +0.08333 better",
    ]);
    expect(lineOf(page.text, "Rows with an error")).toEqual(["Rows with an error", "1", "0", "▼ -1 better"]);
    expect(lineOf(page.text, "Latency, median")).toEqual(["Latency, median", "1 s", "1 s", ""]);
  });

  test("takes a lower score for better where the metadata says so", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const toxic = (value: number) => ({
      experiment_metadata: { score_directions: { toxicity: "lower", accuracy: "higher" } },
      results: [row(1, score(value, "toxicity")), row(2, score(value))],
    });
    const one = await uploaded(service, toxic(0.25));
    const other = await uploaded(service, { experiment_name: "second", ...toxic(0.5) });
    const { text } = await get(service, compare("any", one.dataset.id, one.experiment.id, other.experiment.id));
    expect(cardsOf(text).map(({ scores }) => scores)).toEqual([
      ["toxicity 0.25 → 0.5 ▲ +0.25 worse"],
      ["accuracy 0.25 → 0.5 ▲ +0.25 better"],
    ]);
    expect(lineOf(text, "Mean of toxicity")[3]).toBe("▲ +0.25 worse");
  });

  test("counts a new error and a score that was lost as worse, and what is gone as better", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const one = await uploaded(service, {
      results: [row(1, score(1)), row(2, score(1)), row(3, { error: "it broke" }), row(4, score(undefined))],
    });
    const other = await uploaded(service, {
      experiment_name: "second",
      results: [row(1, { error: "it broke" }), row(2, score(undefined)), row(3), row(4, score(1))],
    });
    const { text } = await get(service, compare("any", one.dataset.id, one.experiment.id, other.experiment.id));
    expect(cardsOf(text).map(({ verdict, scores }) => [verdict, ...scores])).toEqual([
      ["worse", "accuracy 1"],
      ["worse", "accuracy 1 → none lost"],
      ["better", "accuracy 1"],
      ["same", "accuracy none → 1 new"],
    ]);
  });

  test("shows both when the rows of one id are not the same question", async () => {
    const service = await start();
    const one = await uploaded(service, { results: [row(1, { inputs: { q: "old" } })] });
    const other = await uploaded(service, { experiment_name: "second", results: [row(1, { inputs: { q: "new" } })] });
    const { text } = await get(service, compare("any", one.dataset.id, one.experiment.id, other.experiment.id));
    expect(cardsOf(text)[0]?.fields).toMatchObject({ "Inputs, baseline": "q: old", "Inputs, compared": "q: new" });
  });

  test("meets the rows that an id has several times in their order", async () => {
    const service = await start();
    const again = (reply: string) => row(1, { actual_outputs: { reply } });
    const one = await uploaded(service, { results: [again("a1"), again("a2")] });
    const other = await uploaded(service, {
      experiment_name: "second",
      results: [again("b1"), again("b2"), again("b3")],
    });
    const { text } = await get(service, compare("any", one.dataset.id, one.experiment.id, other.experiment.id));
    expect(cardsOf(text).map(({ anchor, fields }) => [anchor, fields["Baseline"], fields["Compared"]])).toEqual([
      [`row-${ROW_IDS[0]}-3`, undefined, "reply: b3"],
      [`row-${ROW_IDS[0]}`, "reply: a1", "reply: b1"],
      [`row-${ROW_IDS[0]}-2`, "reply: a2", "reply: b2"],
    ]);
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
  const service = await start({ experimentDelayMilliseconds: 0 });
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
