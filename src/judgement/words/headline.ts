import { isMostlyLost } from "../../statistics/comparison.ts";
import { countOf, countText } from "../../text/number.ts";
import { quoted, listed } from "../../text/quoted.ts";
import { withFullStop, withoutFullStop } from "../../text/reasons.ts";
import { ACCEPT_BY_RESET, type Judgement, type RuleOutcome } from "../judgement.ts";
import { unmeasuredText } from "./metrics.ts";
import { brokenTexts, insteadText, isNearlyShown, metricOf, movedText, openTexts, reachText } from "./outcomes.ts";
import { endingOf, titleOf } from "./standing.ts";

type Parts = Judgement["headlineParts"];

/** The first line: what happened, with what was not compared, and what to do about it. */
export function headlineOf(
  judgement: Omit<Judgement, "headline" | "headlineParts">,
): Pick<Judgement, "headline" | "headlineParts"> {
  const { first, rest } = LINES[judgement.status](judgement);
  const { uncompared, gaps } = judgement;
  // Without a case that both have, all are added.
  const isNone = gaps.some(({ kind }) => kind === "nothing-shared" || kind === "no-rows");
  const { added, changed } = (isNone ? undefined : uncompared) ?? { added: NO_CASES, changed: NO_CASES };
  const fail = (failing: number, newly = "") =>
    `${failing === 0 ? "none" : countText(failing)} ${newly}${failing < 2 ? "fails" : "fail"}`;
  const parts: string[] = [];
  if (added.cases > 0) parts.push(`${countOf(added.cases, "added case")} (${fail(added.failing)})`);
  if (changed.cases > 0) parts.push(`${countOf(changed.cases, "changed case")} (${fail(changed.failing, "newly ")})`);
  const were = added.cases + changed.cases === 1 ? "was" : "were";
  const clauses = parts.length === 0 ? [] : [`${parts.join(" and ")} ${were} not compared`];
  const unmeasured = unmeasuredText(judgement.now);
  // A gap has said it.
  if (unmeasured !== "" && !gaps.some(({ kind }) => kind === "unmeasured")) {
    clauses.push(`not measured: ${unmeasured}`);
  }
  const whole = clauses.length === 0 ? first : `${[withoutFullStop(first), ...clauses].join("; ")}.`;
  return { headline: rest === "" ? whole : `${whole} ${rest}`, headlineParts: { first: whole, rest } };
}

const NO_CASES = { cases: 0, failing: 0 };

/** A first sentence, given as a clause, and the sentences behind it. */
function line(first: string, ...rest: readonly string[]): Parts {
  return { first: withFullStop(first), rest: rest.filter((text) => text !== "").join(" ") };
}

const SAVE = "Save the snapshot of this run as the baseline.";
const SAVE_MAIN = "Save the snapshot of a run on the main branch as the baseline.";

type Found = Pick<Judgement, "anchor" | "baseline" | "gaps" | "leftOut" | "metrics" | "now" | "rules">;

const LINES: Readonly<Record<Judgement["status"], (judgement: Found) => Parts>> = {
  incomplete: incompleteLine,
  failed: failedLine,
  bootstrap: bootstrapLine,
  none: () => line("No rules: the results are shown, and nothing was judged"),
  warned: warnedLine,
  passed: passedLine,
};

function failedRules(rules: readonly RuleOutcome[]): readonly RuleOutcome[] {
  return rules.filter(({ rule, holds }) => holds === false && !rule.isWarning);
}

function incompleteLine({ gaps, metrics, rules }: Found): Parts {
  const failed = failedRules(rules);
  const [gap] = gaps;
  if (gap) {
    const { found, advice } = gap.parts ?? { found: gap.message, advice: "" };
    // It stands once, behind all of them.
    const isAcceptable = gaps.some(({ parts }) => parts?.advice === ACCEPT_BY_RESET);
    const own = advice === ACCEPT_BY_RESET ? "" : advice;
    const rest = gaps.length - 1;
    const more = rest > 0 ? `There ${rest === 1 ? "is" : "are"} ${countOf(rest, "more gap")}.` : "";
    return line(`Incomplete: ${found}`, own, more, repairText(isAcceptable));
  }
  const open = failed.find(({ verdict }) => verdict === "incomplete");
  const measured = open && metricOf(open, metrics);
  const others = moreRules(failed.filter((outcome) => outcome !== open));
  if (open?.advice !== undefined && measured) {
    const regressed = failed.find(({ verdict }) => verdict === "regressed");
    const [text = "", ...more] = brokenTexts(open, metrics);
    // What such a rule lacks takes nothing from the others.
    const [harm] = regressed ? brokenTexts(regressed, metrics) : [];
    if (harm === undefined) return line(`Incomplete: ${text}`, ...more, others);
    const rest = moreRules(failed.filter((outcome) => outcome !== open && outcome !== regressed));
    return line(`Incomplete: ${text}`, ...more, `Harm is shown: ${harm}.`, rest);
  }
  if (!open?.reach || !measured?.comparison || !isMostlyLost(measured.comparison)) {
    const [found = "nothing was compared", accept] = open?.found.split(ACCEPTED) ?? [];
    return line(`Incomplete: ${found}`, repairText(accept !== undefined, measured?.comparison !== undefined), others);
  }
  const why = reachText(open.reach, measured.comparison);
  return line(
    `Incomplete: ${movedText(measured)}, which \`${open.rule.text}\` cannot judge: ${why}`,
    `Add cases, or replace the rule by ${insteadText(open.reach)}.`,
    others,
  );
}

/** How a rule that is open by what the baseline has says that the change may be accepted. */
const ACCEPTED = `. ${withoutFullStop(ACCEPT_BY_RESET)}`;

/** What to do where something is missing: where the baseline has it, there are two ways. */
function repairText(isAcceptable: boolean, isMeasured = false): string {
  const repair = isMeasured
    ? "Repair the evaluation, and run it again"
    : "Nothing can be said about the change: repair the evaluation, and run it again";
  if (!isAcceptable) return `${repair}.`;
  return `${repair}, or accept the change by one run on the main branch with \`baseline: reset\`.`;
}

function bootstrapLine({ rules, baseline, now, leftOut = [] }: Found): Parts {
  const isReset = now.isReset === true;
  // What it lacks is among the warnings.
  const isUnfit = (now.notBaseline ?? []).length > 0;
  const save = isUnfit ? "This run can be no baseline: repair the evaluation, and run it again." : SAVE;
  if (isReset && isUnfit)
    return line("Nothing was compared: this run was to start a new baseline", heldText(rules), save);
  if (isReset) {
    const then = "Then remove `baseline: reset`.";
    return line("Nothing was compared: this run starts a new baseline", heldText(rules), save, then);
  }
  if (!baseline) {
    return line(`Nothing was compared: ${leftText(leftOut) || "there is no baseline yet"}`, heldText(rules), save);
  }
  const open = rules.filter(({ holds, rule }) => holds === undefined && !rule.isWarning);
  const others = open.length < rules.length ? "All other rules hold." : "";
  return line(`${countOf(open.length, "rule")} could not be judged: ${open[0]?.found ?? ""}`, others, save);
}

/** Why there is no baseline although runs were given; empty where none was. */
function leftText(leftOut: readonly string[]): string {
  const [first = ""] = leftOut;
  if (leftOut.length < 2) return withoutFullStop(first);
  return `all ${String(leftOut.length)} runs are left out of the baseline, as the warnings say`;
}

function failedLine({ rules, metrics, baseline, leftOut = [] }: Found): Parts {
  const failed = failedRules(rules);
  const [first] = failed.toSorted((a, b) => rank(a) - rank(b));
  if (!first) {
    const open = rules.filter(({ holds }) => holds === undefined).map(({ rule }) => quoted(rule.text));
    const openFound = rules.find(({ holds }) => holds === undefined)?.found ?? "";
    if (baseline) return line(`Failed: ${openFound}`, SAVE_MAIN);
    const names = listed(open, { conjunction: "and", most: 3 });
    const needs = `${names} ${open.length === 1 ? "needs" : "need"} one`;
    const why = leftText(leftOut);
    return line(`Failed: there is no baseline, and ${needs}${why === "" ? "" : `: ${why}`}`, SAVE_MAIN);
  }
  const others = moreRules(failed.filter((outcome) => outcome !== first));
  const [text = "", ...more] = brokenTexts(first, metrics);
  const look = first.verdict === "regressed" ? "Look at the cases that got worse." : "";
  return line(`${titleOf(first, "Failed")}: ${text}`, look, ...more, others);
}

function warnedLine(judgement: Found): Parts {
  const { rules, metrics, anchor } = judgement;
  // Without a baseline a rule is open, and not a warning.
  const open = rules.filter(({ holds, rule }) => holds !== true && (holds === false || rule.isWarning));
  const first = open.toSorted((a, b) => rank(a) - rank(b))[0];
  const [text, ...more] = anchor[0] === undefined ? ((first && brokenTexts(first, metrics)) ?? []) : [anchor[0]];
  const isOpen = rules.some(({ holds, rule }) => holds === undefined && !rule.isWarning);
  const none = isOpen ? bootstrapLine(judgement) : undefined;
  const count = countOf(open.length + anchor.length, "warning");
  return line(
    `Passed with ${count}${text === undefined ? "" : `: ${text}`}`,
    ...more,
    ...(none ? [none.first, none.rest] : []),
  );
}

function rank({ verdict, rule }: RuleOutcome): number {
  return verdict === "regressed" ? 0 : rule.test.by === "not-worse" ? 2 : 1;
}

function moreRules(others: readonly RuleOutcome[]): string {
  const open = others.filter((outcome) => endingOf(outcome) === "open").length;
  const broken = others.length - open;
  const be = (count: number) => (count === 1 ? "is" : "are");
  if (broken === 0) return open === 0 ? "" : `${countOf(open, "more rule")} ${be(open)} open.`;
  const also = open === 0 ? "" : `, and ${countText(open)} ${be(open)} open`;
  return `${countOf(broken, "more rule")} ${be(broken)} broken${also}.`;
}

function heldText(rules: readonly RuleOutcome[]): string {
  const judged = rules.filter(({ holds }) => holds !== undefined);
  if (judged.length === 0) return "";
  return `${judged.length === 1 ? "The rule" : `The ${String(judged.length)} rules`} about the results alone ${judged.length === 1 ? "holds" : "hold"}.`;
}

const HOLDING: Readonly<Record<number, string>> = { 1: "The rule holds.", 2: "Both rules hold." };

/** What was found by the rules that compare, without a claim that nothing changed. */
function passedLine({ rules, metrics }: Found): Parts {
  const held = HOLDING[rules.length] ?? `All ${String(rules.length)} rules hold.`;
  const compared = rules.filter(
    ({ rule, verdict }) => rule.test.by === "not-regressed" || rule.test.by === "not-worse" || verdict === "improved",
  );
  const isOpen = ({ verdict }: RuleOutcome) => verdict === "inconclusive" || verdict === "too few";
  const shown =
    compared.find((one) => isOpen(one) && isNearlyShown(one, metrics)) ??
    compared.find(isOpen) ??
    compared[0] ??
    rules[0];
  if (!shown) return line(`Passed: ${held}`);
  const measured = metricOf(shown, metrics);
  if (!measured) return line(`Passed: ${shown.found}`, held);
  const moved = `Passed: ${movedText(measured)}`;
  switch (shown.verdict) {
    case "inconclusive":
    case "too few": {
      const { clause, hidden } = openTexts(measured, shown);
      return line(`${moved}, ${clause}`, held, hidden);
    }
    case "improved":
      return line(`${moved}, a gain that chance alone rarely brings`, held);
    case "not worse":
      return line(`${moved}, and more harm than \`${shown.rule.text}\` allows is ruled out`, held);
    default:
      return line(moved, held);
  }
}
