import { countOf, countText } from "../../text/number.ts";
import { ageOf } from "../cases/baseline.ts";
import type { Judgement } from "../judgement.ts";
import type { Judged } from "../judge-results.ts";
import { ORIGIN, unmeasuredText, type RunFact } from "../words/metrics.ts";
import { sizeText } from "../words/numbers.ts";
import { STATUSES } from "../words/standing.ts";
import type { Trait } from "./cases-data.ts";
import { casesSection, textsOf } from "./cases-section.ts";
import { bitOf, tableOfCases, type ReportedCases } from "./cases-table.ts";
import { distributionOf, latencyCurveOf } from "./distribution.ts";
import { frame } from "../../pages/frame.ts";
import { isEmpty, markup, prose, type Content, type Markup } from "../../pages/markup.ts";
import { badge } from "../../pages/names.ts";
import { STYLE } from "../../pages/style.ts";
import { table } from "../../pages/table.ts";
import { chartedMetrics } from "./charted-metric.ts";
import { SCRIPT } from "./page-script.ts";
import { ALONE_STYLE, REPORT_STYLE } from "./style.ts";
import { metricsSection, rulesSection } from "./verdict-sections.ts";
import { scatterOf } from "./scatter.ts";
import { elapsedText } from "../../text/duration.ts";
import { listed } from "../../text/quoted.ts";

interface ReportOptions {
  /** Whether inputs, outputs and errors are shown; they are there where the results were read with their texts. */
  readonly showsTexts: boolean;
}

/** A judgement as one page that loads nothing, and in which foreign text never acts. */
export async function renderReport(judged: Judged, options: ReportOptions): Promise<string> {
  const { title, head, sections, style, script } = partsOf(judged, options);
  return frame({
    ...{ title, script, style: `${STYLE}${ALONE_STYLE}${style}` },
    skip: { to: "cases", text: "Skip to the cases" },
    body: markup`${head}\n<main>\n${sections}\n</main>`,
  });
}

/** A judgement as the content of another page, which has the style that all pages begin with. */
export function reportPart(judged: Judged, options: ReportOptions) {
  const { head, sections, style, script } = partsOf(judged, options);
  return { body: markup`${head}\n${sections}`, style, script };
}

function partsOf(judged: Judged, { showsTexts }: ReportOptions) {
  const { judgement } = judged;
  const { dataset } = judgement.now;
  const { word, tone } = STATUSES[judgement.status];
  const title = dataset.name ?? dataset.id ?? "Evaluation";
  const cases = tableOfCases(judged);
  const texts = showsTexts ? textsOf(cases.cases) : undefined;
  const head = markup`<header class="verdict">
<p class="about">${badge(tone, word)} <span>${title}</span></p>
<h1>${prose(judgement.headline)}</h1>
<p class="soft">${sidesOf(judgement)}</p>
${linksOf(cases)}
</header>`;
  const sections = markup`${noticesOf(judgement)}
${metricsSection(judgement)}
${rulesSection(judgement)}
${chartsSection(judged)}
${runFacts(judgement)}
${casesSection(cases, texts)}`;
  return { title: `${word}: ${title}`, head, sections, style: REPORT_STYLE, script: SCRIPT };
}

function sidesOf({ now, baseline }: Judgement): string {
  const side = ({ cases, trials, commit, created, isCreatedUnsure }: Judgement["now"]) =>
    [
      sizeText(cases, trials),
      ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
      ...(isCreatedUnsure === true ? [] : [timeText(created)]),
    ].join(", ");
  if (!baseline) return side(now);
  const runs = baseline.runs > 1 ? ` of ${countOf(baseline.runs, "run")}` : "";
  return `${side(now)}; against ${side(baseline)}${runs}`;
}

const LINKED: readonly (readonly [Trait, tone: string])[] = [
  ["newly failing", "worse"],
  ["worse", "worse"],
  ["newly flaky", "worse"],
  ["without a score", "warn"],
  ["with error", "warn"],
  ["fixed", "better"],
  ["better", "better"],
];

/** How many cases went which way in the metric that the table begins with; each leads to its cases. */
function linksOf({ data }: ReportedCases): Content {
  const columns = data.metrics[data.first];
  if (!columns) return "";
  const links = LINKED.flatMap(([trait, tone]) => {
    const bit = bitOf(trait);
    const cases = columns.traits.filter((traits) => (traits & bit) !== 0).length;
    const link = markup`<li class="${tone}"><a href="#cases" data-metric="${data.first}" data-trait="${data.traits.indexOf(trait)}"><b>${countText(cases)}</b> ${trait}</a></li>`;
    return cases === 0 ? [] : [link];
  });
  if (links.length === 0) return "";
  return markup`<div class="links"><span class="soft">Cases by ${columns.name}:</span><ul>${links}</ul></div>`;
}

const MOST_NOTICES = 50;

/** What keeps the judgement from being whole, and what else its reader should know. */
function noticesOf({ gaps, warnings }: Judgement): Content {
  const all = [
    // The first one is in the headline.
    ...gaps.slice(1).map(({ message }) => markup`<li class="gap">${prose(message)}</li>`),
    ...warnings.map((warning) => markup`<li>${prose(warning)}</li>`),
  ];
  if (all.length === 0) return "";
  const rest = all.length - MOST_NOTICES;
  return markup`<ul class="notices" aria-label="Gaps and warnings">
    ${all.slice(0, MOST_NOTICES)}${rest > 0 && markup`<li>${countText(rest)} more.</li>`}
  </ul>`;
}

const MOST_CHARTED = 8;

/** How the cases are distributed in the metrics that rules are about; those of the others are folded. */
function chartsSection(judged: Judged): Content {
  const ruled = new Set(
    judged.judgement.rules.map(({ rule: { value } }) => (value.of === "metric" ? value.metric : "")),
  );
  const all = chartedMetrics(judged);
  const shown = all.slice(0, MOST_CHARTED).flatMap((charted) => {
    const isPositive = charted.facts.kind === "positive";
    const drawn = [scatterOf(charted), isPositive ? latencyCurveOf(charted) : distributionOf(charted)];
    const figures = drawn.filter((each) => !isEmpty(each));
    return figures.length === 0 ? [] : [{ isRuled: ruled.has(charted.metric), figures }];
  });
  const [first, others] = [shown.filter(({ isRuled }) => isRuled), shown.filter(({ isRuled }) => !isRuled)];
  if (shown.length === 0) return "";
  const rest = all.length - MOST_CHARTED;
  const figuresOf = (part: typeof shown) => markup`<div class="figures">${part.map(({ figures }) => figures)}</div>`;
  const folded = markup`<details><summary>Charts of ${countOf(others.length, "metric")} without a rule</summary>${figuresOf(others)}</details>`;
  return markup`<section id="charts" aria-labelledby="charts-heading">
    <h2 id="charts-heading">How the cases are distributed</h2>
    ${figuresOf(first.length === 0 ? others : first)}
    ${first.length > 0 && others.length > 0 && folded}
    ${rest > 0 && markup`<p class="soft">${countOf(rest, "more metric")} ${rest === 1 ? "has" : "have"} no charts here.</p>`}
  </section>`;
}

const FACTS: readonly RunFact[] = [
  ["Measured", ({ cases, trials }) => sizeText(cases, trials)],
  ["Rows with an error", ({ errors }) => countText(errors)],
  ["Rows not measured", (run) => unmeasuredText(run) || undefined],
  ...ORIGIN,
  ["Dataset", ({ dataset: { name, id } }) => name ?? id],
  ["Workflow run", ({ run }) => run],
  ["Ended", ({ created, isCreatedUnsure }) => (isCreatedUnsure === true ? undefined : timeText(created))],
  ["Concurrency", ({ concurrency }) => (concurrency === undefined ? undefined : countText(concurrency))],
];

const MOST_SOURCES = 20;

/** What was measured on both sides: of what, by which evaluator, and when. */
function runFacts({ now, baseline }: Judgement): Markup {
  const rows = FACTS.flatMap(([name, of]) => {
    const [ours, theirs] = [of(now), baseline && of(baseline)];
    return ours === undefined && theirs === undefined ? [] : [[name, ours ?? "–", theirs ?? "–"]];
  });
  if (baseline) {
    const age = ageOf(baseline, new Date(now.created));
    if (age !== undefined && age > 0) rows.push(["Age of the baseline", "", elapsedText(age)]);
    const names = listed(baseline.sources, { conjunction: "and", most: MOST_SOURCES });
    rows.push([baseline.runs > 1 ? `Files of ${String(baseline.runs)} runs` : "Files", "", names]);
  }
  const [heading, sides] = baseline ? ["What was compared", ["Now", "Baseline"]] : ["What was measured", ["Now"]];
  return markup`<section id="runs" aria-labelledby="runs-heading">
    <h2 id="runs-heading">${heading}</h2>
    ${table(heading, [{ name: "" }, ...sides], rows)}
  </section>`;
}

/** `2026-11-22 10:00 UTC`; a time that is none stays as it is. */
function timeText(created: string): string {
  const [, day = created, minute = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(created) ?? [];
  return minute === "" ? day : `${day} ${minute} UTC`;
}
