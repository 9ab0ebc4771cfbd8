import { describe, expect, test } from "vitest";
import { UNKNOWN_ID, start } from "./caller.ts";
import { ROW_IDS, experiment, get, post, row, uploaded } from "./experiment-caller.ts";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=x>"'&</pre></td>`;
const DANGEROUS = /<script|<img|onerror=x>|<\/pre><\/td>"/;

const score = (value: number | undefined, key = "accuracy") => ({ evaluation_scores: [{ key, score: value }] });

/** The cells of the table line that names the row. */
function lineOf(html: string, rowId = ""): readonly string[] {
  const line = html.split("<tr>").find((part) => part.includes(rowId)) ?? "";
  return [...line.matchAll(/<td>(.*?)<\/td>/gs)].map(([, cell = ""]) => cell.replace(/<[^>]*>/g, " ").trim());
}

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
    results: [row(4), row(2, { ...score(1), actual_outputs: { answer: "reply after" } }), row(1, score(1))],
  });
  const { id, tenant_id } = one.dataset;
  const page = await get(service, compare(tenant_id, id, one.experiment.id, other.experiment.id));
  return { service, one, other, page };
}

describe("the page of the datasets", () => {
  test("is linked from the first page, and leads to the experiments and to a comparison", async () => {
    const { service, one, other } = await twoExperiments();
    const linkIn = async (path: string, name: string) => {
      const { text } = await get(service, path);
      return new RegExp(`href="([^"]+)">${name}</a>`).exec(text)?.[1]?.replaceAll("&#38;", "&") ?? `no link to ${name}`;
    };
    const datasets = await linkIn("/", "Datasets and experiments");
    const dataset = await linkIn(datasets, "questions");
    expect((await get(service, await linkIn(dataset, "first"))).text).toContain(one.experiment.id);
    const { text } = await get(service, dataset);
    const action = /<form action="([^"]+)" method="get">/.exec(text)?.[1] ?? "";
    const chosen = [...text.matchAll(/<option value="([^"]+)" selected>/g)].map(([, id]) => id);
    expect(chosen).toEqual([one.experiment.id, other.experiment.id]);
    const answer = await get(service, `${action}?selectedSessions=${chosen.join("&selectedSessions=")}`);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.text).toContain("2 rows in both, 1 only in the baseline, 1 only in the other");
  });

  test("tells how experiments are read back", async () => {
    const service = await start();
    const { text } = await get(service, "/o/any/datasets");
    expect(text).toContain("There is no dataset yet");
    for (const path of ["/datasets/{dataset_id}/experiments", "/experiments/{experiment_id}/rows", "/api/v1"]) {
      expect(text).toContain(path);
    }
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
    expect(lineOf(text, "<td>accuracy</td>")).toEqual(["accuracy", "2", "0.375", ""]);
    expect(lineOf(text, ROW_IDS[1])).toEqual([
      ROW_IDS[1],
      "question: question 2",
      "answer: answer 2",
      "answer: reply 2",
      "accuracy: 0.25",
      "timed out",
      "1",
    ]);
    expect(text).not.toContain('http-equiv="refresh"');
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
    expect(middle).toMatch(/&#38;offset=0">previous</);
    expect(middle).toMatch(/&#38;offset=100">next</);
  });
});

describe("the comparison of two experiments", () => {
  test("puts the rows of one id side by side, with what has changed", async () => {
    const { page } = await twoExperiments();
    expect(lineOf(page.text, ROW_IDS[1])).toEqual([
      ROW_IDS[1],
      "question: question 2",
      "answer: answer 2",
      "answer: reply before\ntokens: 12345678901234567890",
      "answer: reply after",
      "accuracy: 0.25 → 1  (+0.75)",
      "",
    ]);
    expect(lineOf(page.text, ROW_IDS[0])[5]).toBe("accuracy: 1");
  });

  test("shows errors, and rows that only one of them has", async () => {
    const { page } = await twoExperiments();
    expect(lineOf(page.text, ROW_IDS[2])).toMatchObject({ 4: "only in the baseline", 6: "baseline:  it broke" });
    expect(lineOf(page.text, ROW_IDS[3])).toMatchObject({ 3: "only in the other", 4: "answer: reply 4" });
  });

  test("shows the means and their change", async () => {
    const { page } = await twoExperiments();
    expect(lineOf(page.text, "<td>accuracy</td>")).toEqual(["accuracy", "0.75", "1", "+0.25"]);
    expect(lineOf(page.text, "<td>error rate</td>")).toEqual(["error rate", "0.333333", "0", "-0.333333"]);
  });

  test("shows both when the rows of one id are not the same question", async () => {
    const service = await start();
    const one = await uploaded(service, { results: [row(1, { inputs: { q: "old" } })] });
    const other = await uploaded(service, { experiment_name: "second", results: [row(1, { inputs: { q: "new" } })] });
    const { text } = await get(service, compare("any", one.dataset.id, one.experiment.id, other.experiment.id));
    expect(lineOf(text, ROW_IDS[0])[1]?.replace(/\s+/g, " ")).toBe("baseline: q: old other: q: new");
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
    expect(text).toContain("2 rows in both, 0 only in the baseline, 1 only in the other");
    expect(text).toMatch(/reply: a1.*reply: b1.*reply: a2.*reply: b2.*reply: b3/s);
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
