import { countOf, countText } from "../../../../src/text/number.ts";
import { quoted } from "../../../../src/text/quoted.ts";
import type { ServerFacts } from "../../../../src/agent-server/server-facts.ts";
import { writeJsonValue } from "../../../../src/files/json/value.ts";
import { COMMON_LINES, type LogTable } from "../../../account/step-log.ts";
import type { EvaluateEvent } from "../events.ts";
import type { EvaluateFacts } from "./facts.ts";
import { expectedTexts, progressText, runsText } from "./words.ts";

export const LINES: LogTable<EvaluateEvent, EvaluateFacts> = {
  ...COMMON_LINES,
  planned: ({ graph, server, estimate, concurrency }, { kind: { rehearsal } }) => [
    { label: "Agent", text: [`graph ${graph}`, ...serverTexts(server)].join(", ") },
    ...(rehearsal === true ? [{ label: "Answers", text: ANSWERS }] : []),
    {
      label: "Plan",
      text: [runsText(estimate), `${countText(concurrency)} at a time`, ...expectedTexts(estimate)].join(", "),
    },
  ],
  resumed: ({ kept, joined, removed }) => ({
    label: "Resumed",
    text: `${countOf(kept, "answer")} kept, ${countOf(joined, "run")} joined, ${countOf(removed, "thread")} removed`,
  }),
  "journal-aside": ({ path }) => ({
    label: "Journal",
    text: `of an earlier evaluation that is not continued, now at ${path}`,
  }),
  slowed: ({ concurrency }) => ({
    label: "Slowed",
    text: `the agent server is busy; ${countOf(concurrency, "run")} at a time from now on`,
  }),
  progress: ({ progress }, { facts: { isDue } }) => {
    return isDue ? { label: "Asked", text: progressText(progress) } : undefined;
  },
  trial: ({ caseId, repetition, outcome, error, output }) => {
    const said = output === undefined ? error : typeof output === "string" ? output : writeJsonValue(output);
    return { label: "Output", text: `${caseId} #${String(repetition + 1)}, ${outcome}: ${said}` };
  },
  traced: ({ session, runs }) => ({ label: "Trace", text: `${countOf(runs, "run")} in project ${quoted(session)}` }),
  retry: (event, { facts: { retries } }) => (retries <= MOST_RETRIES ? COMMON_LINES.retry(event) : undefined),
};

const ANSWERS =
  "of the built-in agent, which does not run the project: those of its recorded-answers.jsonl, else the input";

// Several requests run at once, and a busy server answers each with a 429.
const MOST_RETRIES = 20;

/** What a server says of itself: `server 0.16.7`, `revision 4f1c…`, `4 workers` */
function serverTexts({ version, revisionId, workers }: ServerFacts): readonly string[] {
  return [
    ...(version === "" ? [] : [`server ${version}`]),
    ...(revisionId === "" ? [] : [`revision ${revisionId}`]),
    ...(workers === undefined ? [] : [countOf(workers, "worker")]),
  ];
}
