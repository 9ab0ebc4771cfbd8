import { createHash } from "node:crypto";
import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { renderReport } from "../../../src/judgement/report/page.ts";
import { comparisonText, nameOf } from "../../../src/judgement/words/numbers.ts";
import { HOSTILE, HOSTILE_TEXTS } from "../../browser/hostile.ts";
import { textOf } from "../../local/page-cards.ts";
import { madeJudged, type ReportRequest, type TextCase } from "./report-rig.ts";

const repeat = (value: number, times: number) => new Array<number>(times).fill(value);
const casesOf = (values: readonly number[]): readonly TextCase[] =>
  values.map((value, at) => ({
    name: `case ${String(at)}`,
    scores: { correct: value, latency: 100 + at },
    inputs: `question ${String(at)}`,
    outputs: [`answer ${String(at)}`],
  }));

const REGRESSED: ReportRequest = {
  before: casesOf([...repeat(1, 90), ...repeat(0, 10)]),
  now: casesOf([...repeat(0, 12), ...repeat(1, 80), ...repeat(0, 8)]),
  gates: "correct not worse by 2pp\nlatency not worse by 20%\nwarn: newly_failing = 0",
};

const render = (request: ReportRequest, showsTexts = false) => renderReport(madeJudged(request), { showsTexts });

const scriptsOf = (page: string) => [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = ""]) => script);
const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const withoutScripts = (page: string) => page.replaceAll(/<script\b.*?<\/script>/gs, "");
const visible = (page: string) => textOf(withoutScripts(page));

describe("the page", () => {
  test("allows its one style and its one script by their hashes, and nothing else", async () => {
    const page = await render(REGRESSED, true);
    const policy = textOf(/Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "");
    const [script = "", ...scripts] = scriptsOf(page);
    const [style = "", ...styles] = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, text = ""]) => text);
    expect([scripts, styles]).toEqual([[], []]);
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${sha256(script)}`,
      `style-src ${sha256(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<style>"));
    expect(page).not.toMatch(/\s(?:style|on\w+|src|srcset|action)=/);
    expect(page).not.toMatch(/url\(|@import|https?:/);
  });

  test("calls a rule open where something is missing, and shows no change of its metric as a gain or a loss", async () => {
    const tone = (value: number) =>
      Array.from({ length: 30 }, (_, at) => ({ name: `c${String(at)}`, scores: { tone: value * (1 + at / 100) } }));
    const facts = { tone: { kind: "unbounded", direction: "higher" } } as const;
    const scale = await render({ now: tone(60), before: tone(0.6), gates: "tone not regressed", facts });
    expect(withoutScripts(scale)).toContain("– not judged");
    expect(scale).toContain('class="change plain"');
    const few = await render({
      now: casesOf([0, 0, 0, 0, 0]),
      before: casesOf([1, 1, 1, 1, 1]),
      gates: "correct not regressed",
    });
    expect(withoutScripts(few)).toContain("? open");
    expect(withoutScripts(few)).not.toContain("✗ broken");
  });

  test("names the first rows that broke a rule, and claims no number for the rest", async () => {
    const text = visible(await render(REGRESSED));
    expect(text).toContain("results.jsonl, line 1; results.jsonl, line 2; results.jsonl, line 11 and more");
  });

  test("has a script that is whole, and cannot end its element", async () => {
    const [script = ""] = scriptsOf(await render(REGRESSED));
    expect(() => new Script(script)).not.toThrow();
    expect(script).not.toMatch(/<\/script|<!--|\bimport\b|__vi|innerHTML|\beval\b/);
    expect(script.length).toBeLessThan(16_000);
  });

  test("says what the judgement says, number by number", async () => {
    const judged = madeJudged({ ...REGRESSED, run: { dataset: { name: "support" } } });
    const text = visible(await renderReport(judged, { showsTexts: false }));
    const { judgement } = judged;
    expect(text).toContain("Failed support");
    expect(text).toContain(judgement.headline.replaceAll("`", " ").replaceAll(/ +/g, " ").slice(0, 60));
    for (const metric of judgement.metrics) {
      expect(text).toContain(nameOf(metric));
      expect(text).toContain(comparisonText(metric.facts, metric.comparison!));
    }
    for (const { rule, found } of judgement.rules) {
      expect(text).toContain(rule.text);
      expect(text).toContain(found);
    }
    expect(text).toContain(`${String(judgement.cases.newlyFailing.length)} newly failing`);
    expect(text).toContain("✗ broken");
    expect(text).toContain("! warns");
  });

  test("is the same for the same judgement", async () => {
    expect(await render(REGRESSED, true)).toBe(await render(REGRESSED, true));
  });

  test("holds texts only where they are to be shown", async () => {
    const [without, withTexts] = [await render(REGRESSED), await render(REGRESSED, true)];
    expect(without).not.toContain("question 3");
    expect(without).not.toContain("answer 3");
    expect(withTexts).toContain("question 3");
    expect(withTexts).toContain("answer 3");
  });

  test.each(["passed", "warned", "bootstrap", "incomplete", "none"] as const)("has a word for %s", async (status) => {
    const requests: Record<typeof status, ReportRequest> = {
      passed: { now: casesOf(repeat(1, 30)), before: casesOf(repeat(1, 30)), gates: "correct >= 0.5" },
      warned: { now: casesOf(repeat(1, 30)), before: casesOf(repeat(1, 30)), gates: "warn: correct < 0.5" },
      bootstrap: { now: casesOf(repeat(1, 30)), gates: "correct not regressed" },
      incomplete: { now: casesOf(repeat(1, 20)), before: casesOf(repeat(1, 30)), gates: "correct not regressed" },
      none: { now: casesOf(repeat(1, 30)), before: casesOf(repeat(1, 30)) },
    };
    const judged = madeJudged(requests[status]);
    expect(judged.judgement.status).toBe(status);
    const words = {
      passed: "Passed",
      warned: "Passed with warnings",
      bootstrap: "No baseline yet",
      incomplete: "Incomplete",
      none: "Not judged",
    };
    const page = await renderReport(judged, { showsTexts: false });
    expect(visible(page)).toContain(`Skip to the cases ${words[status]} support`);
  });
});

describe("a small judgement", () => {
  test("without cases says so", async () => {
    const text = visible(await render({ now: [] }));
    expect(text).toContain("Incomplete: The results have no rows.");
    expect(text).toContain("There are no metrics.");
  });

  test("without a baseline shows what was measured, and compares nothing", async () => {
    const page = await render({ now: REGRESSED.now, gates: "correct >= 0.5\ncorrect not regressed" });
    const text = visible(page);
    expect(text).toContain("Nothing was compared: there is no baseline yet.");
    expect(text).toContain("What was measured");
    expect(text).toContain("– not judged");
    expect(page).not.toContain('class="forest"');
    expect(text).not.toContain("Change [95 %]");
  });

  test("of one case has no interval, and is a page all the same", async () => {
    const page = await render({
      now: [{ name: "only", scores: { quality: 0.4, latency: 120 } }],
      before: [{ name: "only", scores: { quality: 0.9, latency: 100 } }],
      facts: { quality: { kind: "bounded", low: 0, high: 1, direction: "higher" } },
      gates: "quality not worse by 0.1",
    });
    expect(visible(page)).toContain("quality incomplete");
    expect(withoutScripts(page)).not.toMatch(/NaN|Infinity|undefined/);
  });
});

test("a large judgement is a bounded page", { tags: "slow" }, async () => {
  const names = Array.from({ length: 300 }, (_, at) => `metric ${String(at)}`);
  const gates = names
    .map((name) => `"${name}" not regressed`)
    .slice(0, 200)
    .join("\n");
  const scores = Object.fromEntries(names.map((name) => [name, 1]));
  const now = Array.from({ length: 20 }, (_, at) => ({ name: `c${String(at)}`, scores }));
  const page = await render({
    ...{ now, before: now, gates },
    warnings: Array.from({ length: 60 }, (_, at) => `Warning ${String(at)}.`),
  });
  const text = visible(page);
  expect(text).toContain("100 more are not shown.");
  expect(text).toContain("10 more.");
  expect(text).toContain("292 more metrics have no charts here.");
  expect(page.match(/<figure>/g)).toHaveLength(8);
});

describe("foreign text", () => {
  const hostile = (score: number): readonly TextCase[] =>
    HOSTILE_TEXTS.map((text, at) => ({
      name: `${text} ${String(at)}`,
      scores: { [HOSTILE]: score, [text]: [1, score] },
      metadata: { [text]: text, all: HOSTILE },
      ...{ inputs: HOSTILE, expected: `${text} expected`, outputs: [HOSTILE], error: HOSTILE },
    }));

  test("never acts, wherever it stands", async () => {
    const run = {
      ...{ dataset: { name: HOSTILE, id: HOSTILE }, evaluator: HOSTILE, commit: HOSTILE, ref: HOSTILE, run: HOSTILE },
      ...{ agentRevision: HOSTILE, created: HOSTILE },
    };
    const metric = JSON.stringify(HOSTILE_TEXTS[0]);
    const judged = madeJudged({
      ...{ now: hostile(0), before: hostile(1), run, baselineRun: run, warnings: [HOSTILE, `\`${HOSTILE}\``] },
      gates: `${metric} not regressed\n${metric}[all != ${metric}] >= 0.5`,
    });
    const page = await renderReport(judged, { showsTexts: true });
    // Data are never run, and hold no character of markup.
    const data = [...page.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/gs)];
    expect(data.length).toBeGreaterThan(1);
    for (const [, json = ""] of data) expect(json).not.toMatch(/[<>&\u2028\u2029]/);
    const rest = withoutScripts(page);
    expect(rest).not.toMatch(/<(?:img|iframe|link|base|object|embed|form|script)\b/i);
    expect(rest.match(/<svg\b/g)?.length).toBe(rest.match(/<svg class="(?:forest|chart)"/g)?.length);
    expect(rest.replaceAll(/="[^"]*"/g, "=").match(/<[^<>]*\s(?:on\w+|autofocus|style)=/g) ?? []).toEqual([]);
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page.match(/<meta http-equiv=/g)).toHaveLength(1);
    expect(page.isWellFormed()).toBe(true);
  });
});
