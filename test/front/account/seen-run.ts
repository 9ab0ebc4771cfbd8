import { summaryOf } from "../../../front/account/account.ts";
import type { RunBrief } from "../../../front/account/brief.ts";
import type { RunFacts, RunKind } from "../../../front/account/part.ts";
import { outputTexts, type Reporting } from "../../../front/account/step-report.ts";
import { factsOf, logOf } from "./step-output.ts";

/** A run of a step by its events. */
export type Run<Event> = readonly [title: string, events: readonly Event[], kind?: RunKind];

interface Page<Facts> {
  readonly heading: string;
  /** The section of a comment. */
  readonly brief?: (facts: Facts, kind: RunKind) => RunBrief;
  /** What is true of all of them. */
  readonly kind?: RunKind;
}

/**
 * What users see of these runs, as a page for people to read, which the formatter leaves as it is: the log with its
 * annotations, the outputs that are not empty, the job summary, and the section of a comment.
 */
export function pageOfRuns<Inputs, Event extends { readonly type: string }, Facts extends RunFacts>(
  reporting: Reporting<Inputs, Event, Facts>,
  runs: readonly Run<Event>[],
  { heading, brief, kind: all }: Page<Facts>,
): string {
  const parts = runs.flatMap(([title, events, own]) => {
    const kind = { ...all, ...own };
    const facts = factsOf(reporting, events);
    const outputs = Object.entries(outputTexts(reporting.outputs(facts))).filter(([, text]) => text !== "");
    return [
      `## ${title}`,
      "The log:",
      fenced(logOf(reporting, events, kind).join("\n")),
      "The outputs:",
      fenced(outputs.map(([name, text]) => `${name}: ${text.replaceAll("\n", "\\n")}`).join("\n")),
      "The job summary:",
      fenced(summaryOf(reporting, facts, kind).trimEnd()),
      ...(brief ? ["The section of the comment:", fenced(sectionText(brief(facts, kind)))] : []),
    ];
  });
  return [`# ${heading}`, ...parts].join("\n\n") + "\n";
}

function sectionText({ name, sign, state, page, text }: RunBrief): string {
  return [`${name}: ${sign}, ${state}${page === undefined ? "" : `, ${page}`}`, text].join("\n\n");
}

function fenced(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``;
}
