import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { compareExperiments } from "../../src/judgement/compare-experiments.ts";
import type { LocalService } from "../../src/local/index.ts";
import { start } from "../local/caller.ts";
import { row, uploaded } from "../local/experiment-caller.ts";
import { linkIn, textOf } from "../local/page-cards.ts";
import { ELSEWHERE, needsChromium, startBrowser } from "./browser.ts";
import { HOSTILE, HOSTILE_TEXTS, OWNED } from "./hostile.ts";
import { look } from "./look.ts";
import { openWindow } from "./window.ts";

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

/** A service that compares, with two experiments of hostile texts, and the address of their page. */
async function hostilePage() {
  const service = await start({ experimentDelayMilliseconds: 0, compare: compareExperiments });
  const pair = await hostilePair(service);
  const ids = `${pair.one.experiment.id},${pair.other.experiment.id}`;
  return { ...pair, service, url: `${pair.dataset}/compare?selectedSessions=${ids}` };
}

const COUNT = `document.getElementById("count").textContent`;

describe("the comparison in a browser", () => {
  test("runs no foreign text, and loads nothing", async () => {
    const { service, url } = await hostilePage();
    const browser = await startBrowser();
    const before = service.requests.length;
    const html = await browser.open(url);
    expect(html).toContain("<title>Comparison</title>");
    expect(html).toContain('<html lang="en">');
    expect(html).not.toMatch(/<(?:img|iframe|link|base|object|embed|form)\b/i);
    expect(browser.strayed).toEqual([]);
    expect(service.requests.slice(before)).toHaveLength(1);
  });

  test("filters its cases by what happened and by their names, and unfolds them", async () => {
    const { url } = await hostilePage();
    const window = await openWindow(1280, 800);
    await window.load(url);
    expect(await window.evaluate(COUNT)).toBe("64 of 64 cases");
    const facts = await window.evaluate(`(() => {
      const trait = document.getElementById("trait");
      const offered = [...trait.options].flatMap(({ hidden, text }) => (hidden ? [] : [text]));
      trait.value = [...trait.options].find(({ text }) => text.startsWith("only now")).value;
      trait.dispatchEvent(new Event("change"));
      document.querySelector(".unfold").click();
      return { offered, detail: document.querySelector(".detail").textContent };
    })()`);
    expect(facts).toMatchObject({ offered: expect.arrayContaining(["only in the baseline (1)", "only now (1)"]) });
    expect(facts).toMatchObject({ detail: expect.stringContaining("reply 4") });
    await window.evaluate(`document.getElementById("trait").value = ""`);
    await window.evaluate(`document.getElementById("query").focus()`);
    await window.type(idOf(59).slice(0, 8));
    await expect.poll(() => window.evaluate(COUNT)).toBe("1 of 64 cases");
    expect(window.complaints).toEqual([]);
  });

  test("is reached from the first page, and each page on the way is quiet", async () => {
    const { service, one, dataset } = await hostilePage();
    const browser = await startBrowser();
    const first = await look(browser, service, `${service.url}/`, /^Deployments$/);
    const datasets = await look(browser, service, service.url + linkIn(first, "Datasets"), /^Datasets$/);
    expect(service.url + linkIn(datasets, `${HOSTILE.slice(0, 120)}…`)).toBe(dataset);
    const page = await look(browser, service, dataset, /^&lt;script&gt;/);
    expect(textOf(page)).toContain("#1 one <script>");
    const compare = await browser.open(service.url + linkIn(page, "compare with #1"));
    expect(compare).toContain("<title>Comparison</title>");
    const alone = `${dataset}/compare?selectedSessions=${one.experiment.id}`;
    expect(service.url + linkIn(compare, `one ${HOSTILE}`.slice(0, 120) + "…")).toBe(alone);
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
