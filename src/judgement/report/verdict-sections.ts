import { placeText } from "../../files/json/errors.ts";
import type { Level } from "../../statistics/level.ts";
import type { Judgement, MetricJudgement, RuleOutcome } from "../judgement.ts";
import { metricCells } from "../words/metrics.ts";
import { boundText, changeText, neededText, pText, sharedText, valueText } from "../words/numbers.ts";
import { badgesOf, ENDINGS, endingOf, verdictBadges } from "../words/standing.ts";
import { boundAsked, forestOf, type ForestGroup } from "./forest-plot.ts";
import { isEmpty, markup, prose, type Content, type Markup } from "../../pages/markup.ts";
import { badge, badgeList } from "../../pages/names.ts";

/** The rules with what came out, in their order. */
export function rulesSection({ rules }: Judgement): Markup {
  if (rules.length === 0) return markup``;
  return markup`<section id="rules" aria-labelledby="rules-heading">
    <h2 id="rules-heading">Rules</h2>
    <table class="rules" role="table" aria-labelledby="rules-heading">
      ${headOf([["Outcome"], ["Rule"], ["What was found"]])}
      <tbody role="rowgroup">
        ${rules.map(ruleRow)}
      </tbody>
    </table>
  </section>`;
}

type Heading = readonly [content: Content, kind?: string];

function headOf(headings: readonly Heading[]): Markup {
  const cells = headings.map(([content, kind = ""]) => {
    return markup`<th role="columnheader" scope="col"${kind !== "" && markup` class="${kind}"`}>${content}</th>\n`;
  });
  return markup`<thead role="rowgroup"><tr role="row">${cells}</tr></thead>`;
}

function ruleRow(outcome: RuleOutcome): Markup {
  const { rule, found, needed, verdict, places, advice, holds } = outcome;
  const ending = endingOf(outcome);
  const { tone, mark } = ENDINGS[ending];
  const shown = places.slice(0, MOST_PLACES).map(placeText).join("; ");
  // A rule names its first places only, so how many more there are is not known here.
  const more = places.length > MOST_PLACES ? " and more" : "";
  return markup`<tr role="row">
    <td role="cell">${badge(tone, `${mark} ${ending}`)}</td>
    <td role="cell"><code>${rule.text}</code></td>
    <td role="cell">
      ${prose(found)}
      ${badgeList(verdictBadges(verdict))}${needed && markup`<small>${neededText(needed)} would decide</small>`}${advice !== undefined && holds !== true && markup`<small>${prose(advice)}</small>`}${shown !== "" && markup`<small>${shown}${more}</small>`}
    </td>
  </tr>`;
}

const MOST_PLACES = 3;

const MOST_METRICS = 200;

const ALONE: readonly Heading[] = [["Metric"], ["Now [95 %]", "n"]];
const COMPARED: readonly Heading[] = [
  ["Metric"],
  [markup`<span class="ends"><span>← worse</span><span>change</span><span>better →</span></span>`, "plot"],
  ...([
    ["Change [95 %]", "n"],
    ["Now [95 %]", "n"],
    ["Baseline", "n"],
    ["p", "n"],
  ] as const),
];

/** The metrics with their changes as a forest plot: each interval against 0, and against what a rule allows. */
export function metricsSection({ metrics, rules, baseline }: Judgement): Markup {
  if (metrics.length === 0)
    return markup`<section id="metrics">
      <h2>Metrics</h2>
      <p class="soft">There are no metrics.</p>
    </section>`;
  const shown = metrics.slice(0, MOST_METRICS);
  const rest = metrics.length - shown.length;
  const isCompared = baseline !== undefined;
  const groups = forestOf(shown, rules);
  return markup`<section id="metrics" aria-labelledby="metrics-heading">
    <h2 id="metrics-heading">Metrics</h2>
    <table class="metrics ${isCompared ? "" : "alone"}" role="table" aria-labelledby="metrics-heading">
      ${headOf(isCompared ? COMPARED : ALONE)}
      ${groups.map(
        (group) =>
          markup`<tbody role="rowgroup">
            ${group.metrics.map((metric) => metricRow(metric, rules, isCompared ? group : undefined))}${
              !isEmpty(group.axis) &&
              markup`<tr class="ticks" aria-hidden="true">
                <td></td>
                <td class="plot">${group.axis}</td>
                <td colspan="4"></td>
              </tr>`
            }
          </tbody>`,
      )}
    </table>
    ${isCompared && legendOf(groups)} ${rest > 0 && markup`<p class="soft">${String(rest)} more are not shown.</p>`}
  </section>`;
}

function metricRow(metric: MetricJudgement, rules: readonly RuleOutcome[], group: ForestGroup | undefined): Markup {
  const { comparison, baseline, facts, adjustedP = comparison?.p } = metric;
  const [p, overall] = [comparison?.p, adjustedP].map((each) =>
    each === undefined ? "" : pText(each).replace(/^p /, ""),
  );
  const badges = badgesOf(metric, rules);
  const bound = comparison && boundAsked(metric, rules) ? boundText(facts, comparison, metric.metric) : "";
  const { name, better, change, now, baseline: before } = metricCells(metric, rules);
  return markup`<tr role="row">
    <th role="rowheader" scope="row"><span class="metric">${name}</span> ${badgeList(badges)}
      <small>better: ${better}</small></th>
    ${
      group &&
      markup`<td role="cell" class="plot">${group.rowOf(metric)}</td>
        <td role="cell" class="n" data-label="change">${change || "not compared"}${bound && markup`<small>${bound}</small>`}${notesOf(metric)}</td>`
    }
    <td role="cell" class="n" data-label="now">${levelCell(metric, metric.now, now)}</td>
    ${
      group &&
      markup`<td role="cell" class="n" data-label="baseline">${levelCell(metric, baseline, before)}</td>
        <td role="cell" class="n" data-label="p">${p}${comparison && overall !== p && markup`<small>over all rules ${overall}</small>`}</td>`
    }
  </tr>`;
}

function levelCell({ metric, facts }: MetricJudgement, level: Level | undefined, mean: string): Content {
  if (!level) return "none";
  const { p50, p95 } = level.quantiles;
  if (facts.kind !== "positive") return mean;
  return markup`${mean}<small>median ${valueText(metric, p50)}, p95 ${valueText(metric, p95)}</small>`;
}

/** What puts a change into proportion. */
function notesOf(metric: MetricJudgement): Content {
  const { comparison, noise, ifMissing, facts } = metric;
  if (!comparison) return "";
  const { scale } = comparison;
  const shared = sharedText(metric);
  const between =
    noise !== undefined &&
    markup`<small>baseline runs differ by up to ${changeText(facts, scale, noise).replace(/^\+/, "")}</small>`;
  const missing =
    ifMissing &&
    markup`<small>missing scores could make it ${changeText(facts, "difference", ifMissing.worst)} to
      ${changeText(facts, "difference", ifMissing.best)}</small>`;
  return [shared !== "" && markup`<small>${shared}</small>`, between, missing];
}

function legendOf(groups: readonly ForestGroup[]): Content {
  if (groups.every(({ axis }) => isEmpty(axis))) return "";
  const hasMargin = groups.some(({ hasMargin: has }) => has);
  const hasBound = groups.some(({ hasBound: has }) => has);
  return markup`<p class="legend soft">
    <span class="mark dot"></span> change with its 95 % interval
    <span class="mark bar"></span> no change, worse is to its left
    ${hasBound && markup`<span class="mark bound"></span> how bad the change may be`}
    ${hasMargin && markup`<span class="mark zone"></span> more harm than a rule allows`}
  </p>`;
}
