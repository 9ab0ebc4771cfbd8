import { kebabCase } from "../../../../src/contract/options.ts";
import { logTail, logTitle } from "../../../../src/deployment/ending.ts";
import { outcomeFact, type Told, type Outcome } from "../../../../src/deployment/outcomes.ts";
import { durationText } from "../../../../src/text/duration.ts";
import { briefBy } from "../../../account/account.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import {
  everywhere,
  inComment,
  inLog,
  inSummary,
  onPages,
  partsIn,
  type Block,
  type Account,
  type Part,
  type RunKind,
} from "../../../account/part.ts";
import { DEPLOY_SPELLINGS } from "../options.ts";
import { changePart, plannedTable, stepsTable } from "./tables.ts";
import type { DeployFacts } from "./facts.ts";
import { plannedLines, plannedTarget, plannedVerb } from "./words.ts";
import { aboutChoice, DeployError, RollbackUnclearError } from "../../../../src/deployment/errors.ts";
import { DEPLOY_ADVICE } from "../../../account/advice.ts";
import { describeFailure, type Failure } from "../../../account/failure.ts";

/** The account of a deploy: did it work, what is live now, how long did each part take, what changed, what next. */
export const deployAccount: Account<DeployFacts> = (facts, kind, pen) => {
  const { ended, logs, page, warnings, change } = facts;
  const lines = logs && logTail(logs.lines, pen.foreign);
  const log = logs && lines && { group: logTitle(logs.kind, lines.length), lines };
  const top = [...topOf(facts, kind, pen), ...onPages(rollbackPart(facts, pen))];
  if (ended?.outcome === "dry-run") {
    const planned = change ? [plannedTarget(change), ...plannedLines(change, facts)] : [];
    return [
      ...top,
      ...inLog(...planned, { sentence: "Nothing was written." }),
      ...inSummary(plannedTable(facts, pen), { warnings }),
      ...inComment(linksPart(facts, pen)),
    ];
  }
  const isError = ended?.error !== undefined;
  return [
    ...top,
    ...onPages(linksPart(facts, pen)),
    ...inSummary(stepsTable(facts, pen), { warnings }, changePart(facts, pen)),
    ...partsIn(isError ? ["log", "summary"] : ["summary"], [log]),
    ...inLog(isError && log && page !== undefined ? { label: "Whole log", text: page } : undefined),
    ...inSummary(idsPart(facts, pen)),
    ...inComment(endOfPreview(facts)),
  ];
};

/** The section of a deploy in the comment of a pull request: its state, the agent's address, and why it failed. */
export const deployBrief = briefBy(deployAccount, (facts: DeployFacts, { rehearsal = false }) => {
  const { ended, name = "deployment", url, page, notKept } = facts;
  const { sign, state } = ended ? outcomeFact(ended.outcome) : NO_END;
  // What is gone has no address, and the agent of a rehearsal is gone when its step ends.
  const address = rehearsal || notKept !== undefined ? undefined : (url ?? page);
  return { name, sign: ended?.error ? "bad" : sign, state, page: address };
});

const NO_END = { sign: "bad", state: "not finished", success: false } as const;

/** Did it work, what is live now; of a failure why, and what to do next. */
function topOf(facts: DeployFacts, { rehearsal = false }: RunKind, pen: MarkdownPen): readonly Part[] {
  const { ended, name, revisionId, url, answer } = facts;
  if (ended?.error) {
    const failure = deployFailure(ended.outcome, ended.error);
    return [...everywhere({ failure, name }), ...onPages(liveNow(facts, rehearsal, pen))];
  }
  const written = pen.text(name ?? "The deployment");
  const fact = ended ? outcomeFact(ended.outcome) : NO_END;
  if (!ended || !fact.success) return onPages({ heading: `${written}: the run did not finish` });
  const told = toldOf(facts, durationText(ended.milliseconds));
  const lead = fact.lead(told);
  const bold = fact.serves !== "ours" || url === undefined || rehearsal ? [] : [`**${pen.link(url)}**`];
  const revision = revisionId === undefined ? [] : [`revision ${pen.id(revisionId)}`];
  const isUnchecked = ended.outcome === "deployed" && !answer && url !== undefined;
  return [
    ...onPages(
      { heading: fact.title({ ...told, name: written }) },
      typeof lead === "string" ? { sentence: lead } : { dotted: [...bold, ...revision, ...lead] },
    ),
    ...inLog(
      isUnchecked ? { label: "Agent", text: `${url} (not checked)` } : undefined,
      fact.done && { label: "Done", text: fact.done(told) },
    ),
  ];
}

function toldOf({ name, revisionId, deploymentId, rollback, change, notKept }: DeployFacts, took: string): Told {
  return {
    name: name ?? "the deployment",
    took,
    revisionId: revisionId ?? "",
    rollbackTo: rollback?.to ?? "",
    deploymentId: deploymentId ?? "",
    planned: rollback ? "rolled back" : plannedVerb(change),
    isUnlisted: change?.isUnlisted === true,
    notKept: notKept ?? "the reason is unknown",
    spelling: kebabCase(DEPLOY_SPELLINGS),
  };
}

// Only what is known for certain: after a timeout or a newer revision anything may serve.
function liveNow(facts: DeployFacts, rehearsal: boolean, pen: MarkdownPen): Block | undefined {
  const { live, url, before, created, ended, revisionId } = facts;
  if (live) {
    const place = url === undefined || rehearsal ? "" : ` at ${pen.link(url)}`;
    return { written: `**Live now:** revision ${pen.id(revisionId ?? "")}, from this run${place}` };
  }
  if (!ended || outcomeFact(ended.outcome).serves !== "before") return undefined;
  if (created === true) return { written: "**Live now:** nothing; the deployment is new" };
  const active = before?.active_revision_id;
  return active == null ? undefined : { written: `**Live now:** revision ${pen.id(active)}, the previous one` };
}

function rollbackPart({ rollback, ended }: DeployFacts, pen: MarkdownPen): Block | undefined {
  if (!rollback) return undefined;
  const what = ended?.outcome === "deployed" ? "Rolled back" : "Rollback";
  const from = rollback.from === undefined ? "" : ` from revision ${pen.id(rollback.from)}`;
  return { written: `${what}${from} to revision ${pen.id(rollback.to)}. Secrets and settings stay as they are.` };
}

/** Where there is more to see, outside of GitHub. */
function linksPart({ page, tracePage }: DeployFacts, pen: MarkdownPen): Block {
  return {
    dotted: [
      ...(page === undefined ? [] : [`Deployment and logs: ${pen.link(page)}`]),
      ...(tracePage === undefined ? [] : [`Trace: ${pen.link(tracePage)}`]),
    ],
  };
}

function endOfPreview({ ended, pullRequest, notKept, unproved }: DeployFacts): Block | undefined {
  const isThere = notKept === undefined && ended !== undefined && outcomeFact(ended.outcome).isThere === true;
  if (pullRequest === undefined || !isThere) return undefined;
  return { sentence: unproved ?? "This preview is removed when the pull request is closed." };
}

function idsPart({ deploymentId, revisionId, digest }: DeployFacts, pen: MarkdownPen): Block {
  const ids = [
    ["Deployment", deploymentId],
    ["Revision", revisionId],
    ["Source", digest],
  ] as const;
  const list = ids.flatMap(([label, id]) => (id === undefined ? [] : [`${label}: ${pen.code(id)}`]));
  return { details: "Ids and digest", body: [{ list }] };
}

export function deployFailure(outcome: Outcome, error: Error): Failure {
  const { state } = outcomeFact(outcome);
  const title = `${state.charAt(0).toUpperCase()}${state.slice(1)}`;
  const failure = describeFailure(error, { title, table: DEPLOY_ADVICE });
  if (error instanceof RollbackUnclearError) {
    const choices = error.choices.filter(({ serves }) => !serves);
    const lines = choices.map((choice) => [`rollback-to: ${choice.id}`, aboutChoice(choice).trim()]);
    return { ...failure, paste: lines.map((parts) => parts.filter((part) => part !== "").join(" # ")) };
  }
  const revisionId = error instanceof DeployError ? error.revisionId : undefined;
  if (revisionId === undefined) return failure;
  const waiting = `To wait for this revision in the next run, set \`revision-id: ${revisionId}\`.`;
  return { ...failure, advice: [failure.advice, waiting].filter((sentence) => sentence !== "").join(" ") };
}
