import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LocalService } from "../../src/local/index.ts";
import { start } from "../local/caller.ts";
import { ROW_IDS, row, uploaded } from "../local/experiment-caller.ts";
import { cardsOf, lineOf, linkIn, textOf } from "../local/page-cards.ts";
import { ELSEWHERE, needsChromium, startBrowser } from "./browser.ts";
import { HOSTILE, HOSTILE_TEXTS, OWNED } from "./hostile.ts";
import { look } from "./look.ts";

needsChromium();

const LONG = `It begins. ${"all work and no play ".repeat(5_000)}`;

const scored = (score: number, more = {}) => ({ evaluation_scores: [{ key: "accuracy", score }], ...more });

const idOf = (number: number) => `${String(number).padStart(8, "0")}-1111-5000-8000-000000000000`;

/** Sixty rows that stay as they are, so that there is a second page. */
const steady = Array.from({ length: 60 }, (_, index) =>
  row(1, { row_id: idOf(index), inputs: { question: `steady ${index}` } }),
);

/** Two experiments whose every name, key and text is hostile. */
async function hostilePair(service: LocalService) {
  const experiment = (name: string, results: readonly unknown[]) => ({
    experiment_name: `${name} ${HOSTILE}`,
    experiment_description: HOSTILE,
    dataset_name: HOSTILE,
    dataset_description: HOSTILE,
    experiment_metadata: { [HOSTILE]: [HOSTILE] },
    summary_experiment_scores: [{ key: HOSTILE_TEXTS[0], value: HOSTILE }],
    results,
  });
  const hostile = (name: string, score: number) =>
    row(1, {
      run_name: HOSTILE,
      inputs: { [HOSTILE]: HOSTILE },
      expected_outputs: { [HOSTILE]: [{ [HOSTILE]: HOSTILE }] },
      actual_outputs: { text: `${name} ${HOSTILE}` },
      error: `${name} ${HOSTILE}`,
      evaluation_scores: HOSTILE_TEXTS.map((key) => ({ key, score, value: `${name} ${key}`, comment: HOSTILE })),
    });
  const one = await uploaded(service, experiment("one", [...steady, hostile("one", 1), row(2, scored(0)), row(3)]));
  const other = await uploaded(
    service,
    experiment("other", [
      ...steady,
      hostile("other", 0.25),
      row(2, scored(1, { actual_outputs: { answer: LONG } })),
      row(4),
    ]),
  );
  return { one, other, dataset: `${service.datasetsUrl}/${one.dataset.id}` };
}

describe("the comparison in a browser", () => {
  test("shows what became worse first, with the difference in words, and runs no foreign text", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const { one, other, dataset } = await hostilePair(service);
    const browser = await startBrowser();
    const url = `${dataset}/compare?selectedSessions=${one.experiment.id},${other.experiment.id}`;
    const html = await look(browser, service, url, /^Comparison$/);
    const cards = cardsOf(html);
    expect(cards).toHaveLength(50);
    expect(cards.slice(0, 4).map(({ verdict, anchor }) => [verdict, anchor])).toEqual([
      ["worse", `row-${ROW_IDS[0]}`],
      ["better", `row-${ROW_IDS[1]}`],
      ["only-compared", `row-${ROW_IDS[3]}`],
      ["only-baseline", `row-${ROW_IDS[2]}`],
    ]);
    const [worse, better] = cards;
    expect(worse?.scores).toHaveLength(HOSTILE_TEXTS.length);
    expect(worse?.scores[0]).toMatch(/^<script>document\.title=.* → .* ▼ -0\.75 worse$/);
    expect(worse?.fields["Compared"]).toContain(`text: other ${HOSTILE_TEXTS[0]} | ${HOSTILE_TEXTS[1]}`);
    expect(worse?.fields["Baseline"]).toContain("Error one <script>");
    expect(better?.scores).toEqual(["accuracy 0 → 1 ▲ +1 better"]);
    expect(better?.fields["Compared"]).toMatch(/It begins\. .* show all 105019 characters .* more characters$/);
    expect(lineOf(html, "Rows with an error")).toEqual(["Rows with an error", "1", "1", ""]);
    expect(textOf(html)).toContain("all 64 worse 1 better 1 only in the compared one 1 only in the baseline 1");
  });

  test("leads by its links to the worse rows, to the next page, to the other way round and back up", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const { one, other, dataset } = await hostilePair(service);
    const browser = await startBrowser();
    const url = `${dataset}/compare?selectedSessions=${one.experiment.id},${other.experiment.id}`;
    const html = await look(browser, service, url, /^Comparison$/);
    const follow = (from: string, name: string, title = /^Comparison$/) =>
      look(browser, service, service.url + linkIn(from, name), title);
    const worse = await follow(html, "worse 1");
    expect(cardsOf(worse).map(({ anchor }) => anchor)).toEqual([`row-${ROW_IDS[0]}`]);
    const next = await follow(html, "next");
    expect(cardsOf(next)).toHaveLength(14);
    expect(textOf(next)).toContain("Rows 51 to 64 of 64");
    expect(cardsOf(next).at(-1)?.fields["Inputs"]).toBe("question: steady 59");
    expect(cardsOf(await follow(next, "previous"))).toEqual(cardsOf(html));
    const swapped = await follow(html, "Swap the two");
    expect(cardsOf(swapped)[0]).toMatchObject({ verdict: "worse", scores: ["accuracy 1 → 0 ▼ -1 worse"] });
    await follow(html, "Datasets", /^Datasets$/);
  });

  test("is reached from the first page, and each page on the way is as quiet", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const { one, dataset } = await hostilePair(service);
    const browser = await startBrowser();
    const first = await look(browser, service, `${service.url}/`, /^Deployments$/);
    const datasets = await look(browser, service, service.url + linkIn(first, "Datasets"), /^Datasets$/);
    expect(service.url + linkIn(datasets, `${HOSTILE.slice(0, 120)}…`)).toBe(dataset);
    const page = await look(browser, service, dataset, /^&lt;script&gt;/);
    expect(textOf(page)).toContain("#1 one <script>");
    const compare = await look(browser, service, service.url + linkIn(page, "compare with #1"), /^Comparison$/);
    expect(cardsOf(compare)[0]?.verdict).toBe("worse");
    const alone = `${dataset}/compare?selectedSessions=${one.experiment.id}`;
    expect(textOf(await look(browser, service, alone, /^one &lt;script&gt;/))).toContain("Rows 1 to 50 of 63");
  });
});

test("a page that forgets to escape is found out by this browser", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    // A dialog would hold the browser up, as one would on our pages.
    const foreign = HOSTILE_TEXTS.slice(0, 2).join("").replaceAll("alert(1)", "0");
    response.end(`<!doctype html><html lang="en"><title>Comparison</title><p>${foreign}</p>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const browser = await startBrowser();
  const html = await browser.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(html).toContain(`<title>${OWNED}</title>`);
  expect(html).toContain(`lang="${OWNED}"`);
  expect(browser.strayed).toEqual([`${ELSEWHERE}/image`]);
});
