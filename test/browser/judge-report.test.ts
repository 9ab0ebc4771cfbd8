import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { renderReport } from "../../src/judgement/report/page.ts";
import { madeJudged, type ReportRequest, type TextCase } from "../judgement/report/report-rig.ts";
import { needsChromium, startBrowser } from "./browser.ts";
import { HOSTILE, HOSTILE_TEXTS, OWNED } from "./hostile.ts";
import { openWindow } from "./window.ts";

needsChromium();

const PHONE = [390, 844] as const;
const DESK = [1440, 900] as const;

/** The page in a file, as people open it. */
async function pageOf(request: ReportRequest): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "graph-deploy-report-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, "report.html");
  await writeFile(file, await renderReport(madeJudged(request), { showsTexts: true }));
  return pathToFileURL(file).href;
}

const LANGUAGES = ["de", "en", "fr"];

/** 450 cases, of which the first 12 newly fail: enough for three pages of the table. */
function casesOf(side: "before" | "now"): readonly TextCase[] {
  return Array.from({ length: 450 }, (_, at) => ({
    name: `case ${String(at).padStart(3, "0")}`,
    scores: {
      accuracy: Number(side === "before" || at >= 12),
      latency: 100 + at + (side === "now" && at % 2 === 0 ? 7 : 0),
    },
    metadata: { language: LANGUAGES[at % 3]! },
    ...{ inputs: `question ${String(at)}`, expected: "you may return it in 14 days" },
    outputs: [side === "before" || at >= 12 ? "you may return it in 14 days" : "you can return it in 30 days"],
  }));
}

const REGRESSED: ReportRequest = {
  ...{ now: casesOf("now"), before: casesOf("before") },
  gates: "accuracy not worse by 2pp\nlatency not worse by 5%\nwarn: newly_failing = 0",
};

const FIRST_ROWS = `[...document.querySelectorAll("#rows > tr:not(.detail) th")].slice(0, 3).map((cell) => cell.textContent)`;
const SORTED = `Object.fromEntries([...document.querySelectorAll("[data-sort]")].map((header) => [header.dataset.sort, header.getAttribute("aria-sort")]))`;
const COUNT = `document.getElementById("count").textContent`;
const FOCUSED = `document.activeElement.textContent.trim() || document.activeElement.id`;
const choose = (id: string, option: string) => `(() => {
  const select = document.getElementById(${JSON.stringify(id)});
  select.value = [...select.options].find(({ text }) => text.startsWith(${JSON.stringify(option)})).value;
  select.dispatchEvent(new Event("change"));
})()`;

describe("the report of a judgement", () => {
  test("sorts by harm, and by each column when its heading is pressed", async () => {
    const window = await openWindow(...DESK);
    await window.load(await pageOf(REGRESSED));
    expect(await window.evaluate(FIRST_ROWS)).toEqual(["case 000", "case 001", "case 002"]);
    expect(await window.evaluate(SORTED)).toMatchObject({ change: "descending", case: "none" });
    expect(await window.evaluate(COUNT)).toBe("450 of 450 cases, showing 1 to 200");
    await window.evaluate(`document.querySelector("[data-sort=case] button").focus()`);
    await window.press("Enter");
    await window.press(" ");
    expect(await window.evaluate(SORTED)).toMatchObject({ change: "none", case: "descending" });
    expect(await window.evaluate(FIRST_ROWS)).toEqual(["case 449", "case 448", "case 447"]);
    await window.evaluate(choose("metric", "latency"));
    await window.evaluate(`document.querySelector("[data-sort=now] button").focus()`);
    await window.press("Enter");
    expect(await window.evaluate(FIRST_ROWS)).toEqual(["case 448", "case 446", "case 444"]);
    expect(window.complaints).toEqual([]);
  });

  test("filters by what happened, by metadata and by words, and says how many are left", async () => {
    const window = await openWindow(...DESK);
    await window.load(await pageOf(REGRESSED));
    await window.evaluate(choose("trait", "newly failing (12)"));
    expect(await window.evaluate(COUNT)).toBe("12 of 450 cases");
    await window.evaluate(choose("label", "language = de (150)"));
    expect(await window.evaluate(COUNT)).toBe("4 of 450 cases");
    await window.evaluate(`document.getElementById("query").focus()`);
    await window.type("30 DAYS case");
    // Texts are read when the page has nothing else to do.
    await expect.poll(() => window.evaluate(COUNT)).toBe("4 of 450 cases");
    await window.type(" 009");
    expect(await window.evaluate(FIRST_ROWS)).toEqual(["case 009"]);
    await window.type(" nowhere");
    expect(await window.evaluate(COUNT)).toBe("No case matches the filter.");
    // A link above shows its list whatever was chosen before.
    await window.evaluate(`document.querySelector("a[data-trait]").click()`);
    expect(await window.evaluate(COUNT)).toBe("12 of 450 cases");
    expect(window.complaints).toEqual([]);
  });

  test("turns its pages", async () => {
    const window = await openWindow(...DESK);
    await window.load(await pageOf(REGRESSED));
    await window.evaluate(`document.getElementById("next").click()`);
    await window.evaluate(`document.getElementById("next").click()`);
    expect(await window.evaluate(COUNT)).toBe("450 of 450 cases, showing 401 to 450");
    expect(await window.evaluate(`document.getElementById("next").disabled`)).toBe(true);
    await window.evaluate(`document.getElementById("previous").click()`);
    expect(await window.evaluate(COUNT)).toBe("450 of 450 cases, showing 201 to 400");
  });

  test("unfolds a case by the keyboard, with both outputs and the words that differ", async () => {
    const window = await openWindow(...DESK);
    await window.load(await pageOf(REGRESSED));
    await window.evaluate(`document.querySelector(".unfold").focus()`);
    await window.press("Enter");
    const detail = await window.evaluate(`(() => {
      const detail = document.querySelector(".detail");
      const texts = (selector) => [...detail.querySelectorAll(selector)].map((each) => each.textContent);
      const [was, now] = [...detail.querySelectorAll(".side")].map((side) => side.getBoundingClientRect());
      return {
        open: document.querySelector(".unfold").getAttribute("aria-expanded"),
        headings: texts("h3"), outputs: texts(".side pre"), del: texts(".side del"), ins: texts(".side ins"),
        isBeside: was.top === now.top && was.right <= now.left,
      };
    })()`);
    expect(detail).toEqual({
      open: "true",
      headings: ["Input", "Expected", "Baseline", "Now"],
      outputs: ["you may return it in 14 days", "you maycan return it in 1430 days"],
      ...{ del: ["may", "14"], ins: ["can", "30"], isBeside: true },
    });
    await window.press("Enter");
    expect(await window.evaluate(`document.querySelector(".detail")`)).toBeNull();
  });

  test("leads the keyboard past the charts to the cases, with its focus in sight", async () => {
    const window = await openWindow(...DESK);
    await window.load(await pageOf(REGRESSED));
    await window.press("Tab");
    expect(await window.evaluate(FOCUSED)).toBe("Skip to the cases");
    await window.press("Enter");
    await window.press("Tab");
    expect(await window.evaluate(`document.activeElement.id`)).toBe("metric");
    const outline = await window.evaluate(`getComputedStyle(document.activeElement).outlineStyle`);
    expect(outline).not.toBe("none");
  });
});

describe("foreign text in a report", () => {
  const hostile = (score: number): readonly TextCase[] =>
    HOSTILE_TEXTS.map((text, at) => ({
      name: `${text} ${String(at)}`,
      scores: { [HOSTILE]: score, [text]: [1, score] },
      metadata: { [text]: text, all: HOSTILE },
      ...{ inputs: HOSTILE, expected: `${text} expected`, outputs: [HOSTILE], error: HOSTILE },
    }));
  const run = { dataset: { name: HOSTILE }, commit: HOSTILE, ref: HOSTILE, evaluator: HOSTILE, created: HOSTILE };
  const request: ReportRequest = {
    ...{ now: hostile(0), before: hostile(1), run, baselineRun: run, warnings: [HOSTILE] },
    gates: `${JSON.stringify(HOSTILE_TEXTS[0])} not regressed`,
  };

  test("does not act when the page is loaded", async () => {
    const browser = await startBrowser();
    const html = await browser.open(await pageOf(request));
    expect(html).not.toContain(`<title>${OWNED}`);
    expect(html).toContain('<html lang="en">');
    expect(browser.strayed).toEqual([]);
  });

  test("does not act when each case is unfolded, filtered and sorted", async () => {
    const window = await openWindow(...DESK);
    await window.load(await pageOf(request));
    const found = await window.evaluate(`(() => {
      for (const button of document.querySelectorAll(".unfold")) button.click();
      for (const header of document.querySelectorAll("[data-sort] button")) header.click();
      for (const button of document.querySelectorAll(".unfold")) button.click();
      const foreign = document.querySelectorAll("img, iframe, form, base, object, embed, link, [onload], [onerror], [autofocus], [style]");
      return {
        cases: document.querySelectorAll("#rows > .detail").length,
        foreign: [...foreign].map((element) => element.outerHTML),
        scripts: document.querySelectorAll("script:not([type])").length,
        lang: document.documentElement.lang,
      };
    })()`);
    expect(found).toEqual({ cases: HOSTILE_TEXTS.length, foreign: [], scripts: 1, lang: "en" });
    expect(window.complaints).toEqual([]);
  });

  test("could not act if a script made markup of it", async () => {
    const window = await openWindow(...DESK);
    await window.load(await pageOf(request));
    const made = await window.evaluate(
      `(() => { try { document.body.innerHTML = "<img>"; return "made"; } catch (error) { return error.name; } })()`,
    );
    expect(made).toBe("TypeError");
  });
});

describe("the layout", () => {
  const LONG = `support/${"x".repeat(90)}`;
  const long: ReportRequest = {
    ...REGRESSED,
    now: [
      ...casesOf("now"),
      { name: LONG, scores: { accuracy: 0, [LONG]: 0.5, latency: 9 }, metadata: { [LONG]: LONG } },
    ],
    before: [...casesOf("before"), { name: LONG, scores: { accuracy: 1, [LONG]: 0.5, latency: 9 } }],
    run: { commit: "f".repeat(40), ref: LONG, agentRevision: LONG },
  };

  test.each([
    ["a phone", ...PHONE],
    ["paper", 760, 1000],
    ["a small desk", 1100, 800],
    ["a desk", ...DESK],
  ] as const)("fits on %s, with a case unfolded", async (_, width, height) => {
    const window = await openWindow(width, height);
    await window.load(await pageOf(long));
    await window.evaluate(`document.querySelector(".unfold").click()`);
    const facts = await window.evaluate(`({
      width: document.scrollingElement.scrollWidth,
      headings: document.querySelectorAll("h1").length,
      small: [...document.querySelectorAll(".chart text")].filter((text) => text.getBoundingClientRect().height < 11).length,
      unnamed: [...document.querySelectorAll("svg[role=img]")].filter((image) => image.querySelector("title") === null).length,
    })`);
    expect(facts).toEqual({ width, headings: 1, small: 0, unnamed: 0 });
  });
});
