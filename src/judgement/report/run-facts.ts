import { elapsedText } from "../../text/duration.ts";
import { countText } from "../../text/number.ts";
import { listed } from "../../text/quoted.ts";
import type { Judgement, MeasuredRun } from "../judgement.ts";
import { sizeText } from "../words.ts";
import { markup, type Content, type Markup } from "./markup.ts";

type Fact = readonly [name: string, of: (run: MeasuredRun) => string | undefined];

const FACTS: readonly Fact[] = [
  ["Measured", ({ cases, trials }) => sizeText(cases, trials)],
  ["Rows with an error", ({ errors }) => countText(errors)],
  ["Commit", ({ commit }) => commit],
  ["Branch or tag", ({ ref }) => ref],
  ["Agent revision", ({ agentRevision }) => agentRevision],
  ["Evaluator", ({ evaluator }) => evaluator],
  ["Dataset", ({ dataset: { name, id } }) => name ?? id],
  ["Workflow run", ({ run }) => run],
  ["Ended", ({ created }) => timeText(created)],
  ["Cases at once", ({ concurrency }) => (concurrency === undefined ? undefined : countText(concurrency))],
];

const MOST_SOURCES = 20;

/** What was measured on both sides: of what, by which evaluator, and when. */
export function runFacts({ now, baseline }: Judgement): Markup {
  const rows = FACTS.flatMap(([name, of]) => {
    const [ours, theirs] = [of(now), baseline && of(baseline)];
    return ours === undefined && theirs === undefined ? [] : [row(name, ours ?? "–", baseline && (theirs ?? "–"))];
  });
  if (baseline !== undefined) {
    const age = Date.parse(now.created) - Date.parse(baseline.created);
    if (age > 0) rows.push(row("Age of the baseline", "", elapsedText(age)));
    const names = listed(baseline.sources, { conjunction: "and", most: MOST_SOURCES });
    rows.push(row(baseline.runs > 1 ? `Files of ${String(baseline.runs)} runs` : "Files", "", names));
  }
  return markup`<section id="runs" aria-labelledby="runs-heading">
    <h2 id="runs-heading">${baseline === undefined ? "What was measured" : "What was compared"}</h2>
    <table aria-labelledby="runs-heading">
      <thead>
        <tr>
          <td></td>
          <th scope="col">Now</th>
          ${baseline && markup`<th scope="col">Baseline</th>`}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </section>`;
}

function row(name: string, now: Content, baseline: Content): Markup {
  return markup`<tr>
    <th scope="row">${name}</th>
    <td>${now}</td>
    ${baseline !== undefined && markup`<td>${baseline}</td>`}
  </tr>`;
}

/** `2026-11-22 10:00 UTC`; a time that is none stays as it is. */
export function timeText(created: string): string {
  const [, day = created, minute = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(created) ?? [];
  return minute === "" ? day : `${day} ${minute} UTC`;
}
