import { describe, expect, test } from "vitest";
import { compareExperiments } from "../../src/judgement/compare-experiments.ts";
import { call, create, deployed, release, settled, start } from "../local/caller.ts";
import { row, uploaded } from "../local/experiment-caller.ts";
import { run, traced, type TestRun } from "../local/run-caller.ts";
import { needsChromium } from "./browser.ts";
import { openWindow } from "./window.ts";

needsChromium();

const PHONE = [360, 740] as const;
const LONG_NAME = "billing-assistant-with-a-quite-long-name-for-production-eu-west-1";
const ONE_WORD = "x".repeat(100);

// How many characters stand on a line of each piece of text, where it has more than one line; the box of a
// button is none.
const NARROW = `[...document.querySelectorAll("td, th:not(:has(button)), th button, dt, dd, h1, h3, td a, td code, .name")].flatMap((element) => {
  const text = element.textContent.trim();
  const range = document.createRange();
  range.selectNodeContents(element);
  const lines = new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom / 8))).size;
  return lines > 1 && text.length / lines < 3 ? [text + " on " + lines + " lines"] : [];
})`;

/** A service whose pages all hold long names, and the addresses of the pages. */
async function longNames() {
  const service = await start({ experimentDelayMilliseconds: 0, compare: compareExperiments });
  const { id } = await deployed(service, { ...SOURCE, name: LONG_NAME });
  await deployed(service, { ...SOURCE, name: ONE_WORD.slice(0, 60) });
  const log = Array.from(
    { length: 300 },
    (_, index) => `Step ${index}: RUN pip install ${ONE_WORD} -r requirements.txt`,
  );
  service.faults.nextRevision({ end: "BUILD_FAILED", message: "It could not be built: pip returned 1.", log });
  const { id: failed } = await settled(service, id, await release(service, id));
  const scores = ["correctness", "toxicity_of_the_answer_by_the_judge", ONE_WORD.slice(0, 60)];
  const results = [1, 2, 3].map((number) =>
    row(number, {
      inputs: { question: `${LONG_NAME} ${ONE_WORD}` },
      evaluation_scores: scores.map((key) => ({ key, score: number / 7 })),
      run_metadata: { case_id: number === 1 ? ONE_WORD : LONG_NAME },
      run_name: LONG_NAME,
    }),
  );
  const one = await uploaded(service, { experiment_name: LONG_NAME, dataset_name: ONE_WORD, results });
  const other = await uploaded(service, { experiment_name: ONE_WORD, dataset_name: ONE_WORD, results });
  const root = run(1, { session_name: LONG_NAME });
  const runs: TestRun[] = [root];
  for (let depth = 2; depth < 20; depth += 1) {
    runs.push(run(depth, { name: `step_with_a_long_name_${depth}`, session_name: LONG_NAME }, runs.at(-1)));
  }
  await traced(service, runs);
  const resources = (await call(service.url, "GET", "/sessions?reference_free=true")).json as { id: string }[];
  const deployment = `/o/-/host/deployments/${id}`;
  const dataset = `/o/-/datasets/${one.dataset.id}`;
  const paths = {
    list: "/",
    deployment,
    revision: `${deployment}/revisions/${failed}`,
    datasets: "/o/-/datasets",
    dataset,
    experiment: `${dataset}/compare?selectedSessions=${one.experiment.id}`,
    comparison: `${dataset}/compare?selectedSessions=${one.experiment.id},${other.experiment.id}`,
    projects: "/o/-/projects",
    project: `/o/-/projects/p/${resources[0]?.id ?? ""}`,
    trace: `/o/-/traces/${root.id}`,
    nothing: `/${ONE_WORD}`,
  };
  return { service, paths };
}

const SOURCE = {
  source: "internal_source",
  source_config: {},
  source_revision_config: { graph_config_path: "graph.json" },
  secrets: [],
} as const;

describe("on a phone", () => {
  test("no page is wider than the window, and no column breaks its words letter by letter", async () => {
    const { service, paths } = await longNames();
    const window = await openWindow(...PHONE);
    for (const [name, path] of Object.entries(paths)) {
      await window.load(service.url + path);
      const facts = await window.evaluate(
        `({ width: document.scrollingElement.scrollWidth, headings: document.querySelectorAll("h1").length, narrow: ${NARROW} })`,
      );
      expect([name, facts]).toEqual([name, { width: PHONE[0], headings: 1, narrow: [] }]);
    }
  });

  test("the numbers of a score table are in view", async () => {
    const { service, paths } = await longNames();
    const window = await openWindow(...PHONE);
    for (const name of ["dataset", "experiment"] as const) {
      await window.load(service.url + paths[name]);
      const right = await window.evaluate(
        `Math.max(...[...document.querySelectorAll("tr td.n:nth-child(2)")].map((cell) => cell.getBoundingClientRect().right))`,
      );
      expect(right, name).toBeLessThanOrEqual(PHONE[0]);
    }
  });
});

test("a log shows its newest line at first, in a box that scrolls", async () => {
  const { service, paths } = await longNames();
  const window = await openWindow(1280, 800);
  for (const name of ["deployment", "revision"] as const) {
    await window.load(service.url + paths[name]);
    const facts = await window.evaluate(`(() => {
      const log = document.querySelector(".log");
      const box = log.getBoundingClientRect();
      const line = log.querySelector("li:last-child").getBoundingClientRect();
      return {
        scrolls: log.scrollHeight > log.clientHeight,
        isSeen: line.top >= box.top && line.bottom <= box.bottom,
        last: log.querySelector("li:last-child").textContent.includes("Step 299"),
      };
    })()`);
    expect([name, facts]).toEqual([name, { scrolls: true, isSeen: true, last: true }]);
  }
});

test("all of a row leads where its first cell does, and a link within it to its own place", async () => {
  const { service, paths } = await longNames();
  await create(service, { ...SOURCE, name: "second" });
  const window = await openWindow(1280, 800);
  await window.load(service.url + paths.list);
  const hits = await window.evaluate(`(() => {
    const at = (element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return document.elementFromPoint(left + Math.min(10, width / 2), top + height / 2).closest("a")?.getAttribute("href");
    };
    return [...document.querySelectorAll(".rows tr")].slice(1).map((line) => ({
      link: line.querySelector("a").getAttribute("href"),
      cells: [...line.cells].filter((cell, index) => index === 0 || cell.querySelector("a") === null).map(at),
      address: [...line.querySelectorAll("td + td a")].map((link) => [link.getAttribute("href"), at(link)]),
    }));
  })()`);
  const lines = hits as { link: string; cells: string[]; address: [string, string][] }[];
  expect(lines).toHaveLength(3);
  // A row that the keyboard has reached is outlined as a whole.
  const outline = await window.evaluate(`(() => {
    const link = document.querySelector(".rows a");
    link.focus();
    return getComputedStyle(link, "::after").outlineStyle;
  })()`);
  expect(outline).toBe("solid");
  for (const { link, cells, address } of lines) {
    expect(cells).toEqual(cells.map(() => link));
    for (const [href, hit] of address) expect(hit).toBe(href);
  }
});
