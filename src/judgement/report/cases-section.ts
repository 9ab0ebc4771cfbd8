import { countOf, countText } from "../../text/number.ts";
import type { CaseTexts, TrialText } from "./cases-data.ts";
import type { Label, ReportedCases, ReportedCase } from "./cases-table.ts";
import { markup, jsonMarkup, type Markup } from "../../pages/markup.ts";
import { diffWordsWithSpace } from "diff";
import { cut } from "../../text/foreign-text.ts";
import type { Case, Trial } from "../cases/case-set.ts";
import { compareTexts } from "../../text/compare.ts";

/** So many rows are one page of the table, and one block of texts. */
const ROWS_OF_PAGE = 200;

const COLUMNS = [
  ["case", "Case", ""],
  ["verdict", "What happened", ""],
  ["baseline", "Baseline", "n"],
  ["now", "Now", "n"],
  ["change", "Change", "n"],
] as const;

/** The table of cases: its controls and its data, from which the script of the page fills it. */
export function casesSection(
  { data, labels, total }: ReportedCases,
  texts: readonly (CaseTexts | null)[] | undefined,
): Markup {
  const left = total - data.names.length;
  const metrics = data.metrics.map(({ name }, at) => option(String(at), name));
  const traits = data.traits.map((trait, at) => option(String(at), trait));
  const searched = texts ? "name, metadata or text" : "name or metadata";
  const blocks = Array.from({ length: Math.ceil((texts?.length ?? 0) / ROWS_OF_PAGE) }, (_, block) => {
    const rows = texts?.slice(block * ROWS_OF_PAGE, (block + 1) * ROWS_OF_PAGE);
    // `<\/`: as in the frame of all pages.
    return markup`<script type="application/json" class="texts-data">${jsonMarkup(rows)}<\/script>\n`;
  });
  return markup`<section id="cases" aria-labelledby="cases-heading">
      <h2 id="cases-heading">Cases</h2>
      <noscript><p>The table of cases needs JavaScript.</p></noscript>
      <div role="search" class="controls">
        <label>Metric <select id="metric">${metrics}</select></label>
        <label>What happened <select id="trait"><option value="">all cases</option>${traits}</select></label>
        <label>Metadata <select id="label"><option value="">all</option>${groupsOf(labels)}</select></label>
        <label class="wide">Search <input id="query" type="search" placeholder="${searched}" autocomplete="off" spellcheck="false"></label>
      </div>
      <p id="count" class="soft" role="status"></p>
      <table class="cases ${data.isCompared ? "" : "alone"}" role="table" aria-labelledby="cases-heading">
        <thead role="rowgroup">
          <tr role="row">
            ${COLUMNS.map(
              ([name, heading, kind]) =>
                markup`<th scope="col" role="columnheader" class="${kind}" data-sort="${name}">
                  <button type="button">${heading}</button>
                </th>`,
            )}
          </tr>
        </thead>
        <tbody id="rows" role="rowgroup"></tbody>
      </table>
      <p class="pager">
        <button type="button" id="previous">Previous ${countText(ROWS_OF_PAGE)}</button>
        <button type="button" id="next">Next ${countText(ROWS_OF_PAGE)}</button>
      </p>
      ${left > 0 && markup`<p class="soft">${countOf(left, "case")} with less harm ${left === 1 ? "is" : "are"} left out of this page.</p>`}
    </section>
    <script type="application/json" id="cases-data">${jsonMarkup(data)}<\/script>
    ${blocks}`;
}

function option(value: string, text: string): Markup {
  return markup`<option value="${value}">${text}</option>`;
}

// No reader can choose from a longer list, and the search finds them.
const MOST_VALUES = 50;
const MOST_KEYS = 20;

function groupsOf(labels: readonly Label[]): readonly Markup[] {
  const groups = [...Map.groupBy(labels, ({ key }) => key)].filter(([, values]) => values.length <= MOST_VALUES);
  return groups
    .sort(([a], [b]) => compareTexts(a, b))
    .slice(0, MOST_KEYS)
    .map(([key, values]) => {
      const sorted = values.toSorted((a, b) => b.cases - a.cases || compareTexts(a.value, b.value));
      const options = sorted.map(({ number, value, cases }) =>
        option(String(number), `${key} = ${value} (${countText(cases)})`),
      );
      return markup`<optgroup label="${key}">${options}</optgroup>`;
    });
}

// What a person compares; the files have the rest.
const LONGEST = 4_000;
const MOST_DIFFERENT = 5;
// A page with more would open slowly.
const MOST_CHARACTERS = 16_000_000;
// Texts with more differences than that have little in common: marks would not help.
const MOST_EDITS = 200;

/** The texts of the cases in their order; null for those that the page has no room for. */
export function textsOf(cases: readonly ReportedCase[]): readonly (CaseTexts | null)[] {
  let characters = 0;
  return cases.map(({ now, baseline }): CaseTexts | null => {
    if (characters > MOST_CHARACTERS) return null;

    const [inputs, expected] = [
      shortened(now?.inputs ?? baseline?.inputs),
      shortened(now?.expected ?? baseline?.expected),
    ];
    const [before, after] = [trialsOf(baseline), trialsOf(now)];
    characters += (inputs?.length ?? 0) + (expected?.length ?? 0);
    for (const { output = "", error = "" } of [...before, ...after]) characters += output.length + error.length;
    const output = before[0]?.output;
    const shown = { inputs, expected };
    if (expected === undefined && output !== undefined) {
      return { ...shown, against: "baseline", baseline: before, now: after.map(marked(output)) };
    }
    const against = expected === undefined ? undefined : "expected";
    return { ...shown, against, baseline: before.map(marked(expected)), now: after.map(marked(expected)) };
  });
}

function trialsOf(one: Case | undefined): readonly TrialText[] {
  const trials: readonly Trial[] = one?.trials ?? [];
  const texts = trials.map(({ outputs, error }) => ({ output: shortened(outputs), error: shortened(error) }));
  const groups = Map.groupBy(texts, ({ output, error }) => JSON.stringify([output, error]));
  return [...groups.values()].slice(0, MOST_DIFFERENT).flatMap(([first, ...others]) => {
    if (!first) return [];
    return others.length === 0 ? [first] : [{ ...first, times: others.length + 1 }];
  });
}

function shortened(text: string | undefined): string | undefined {
  return text === undefined ? undefined : cut(text, LONGEST);
}

/** Adds what differs from a text, word by word. */
function marked(reference: string | undefined): (trial: TrialText) => TrialText {
  return (trial) => {
    if (reference === undefined || trial.output === undefined || trial.output === reference) return trial;
    return { ...trial, diff: diffOf(reference, trial.output) };
  };
}

/** Undefined where the texts have too little in common. */
function diffOf(from: string, to: string): readonly number[] | undefined {
  const changes = diffWordsWithSpace(from, to, { maxEditLength: MOST_EDITS });
  if (!changes) return undefined;
  const lengths: number[] = [];
  let [same, removed, added] = [0, 0, 0];
  for (const change of changes) {
    const { length } = change.value;
    if (change.added) added += length;
    else if (change.removed) removed += length;
    else if (removed + added === 0) same += length;
    else {
      lengths.push(same, removed, added);
      [same, removed, added] = [length, 0, 0];
    }
  }
  return [...lengths, same, removed, added];
}
