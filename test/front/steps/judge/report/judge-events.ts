import type { JudgeEvent } from "../../../../../front/steps/judge/events.ts";
import type { Written } from "../../../../../front/steps/judge/written-paths.ts";
import type { Judgement } from "../../../../../src/judgement/judgement.ts";
import { baselineOf, caseSet, judged, yesNo, type GivenCase } from "../../../../judgement/rig.ts";
import { judge } from "../../../../../src/judgement/judge.ts";
import { Gates } from "../../../../../src/judgement/gates/gates.ts";

const repeat = (value: number, times: number) => new Array<number>(times).fill(value);
const COMMITS = { now: "4f1c09ab2d3e4f50", before: "99d0aa12bb34cc56" };
const now = { commit: COMMITS.now, ref: "feature", run: "77", agentRevision: "7c1a64e2" };
const before = { commit: COMMITS.before, ref: "main", run: "70", concurrency: 4 };

const PASSED_90 = caseSet(yesNo([...repeat(1, 90), ...repeat(0, 10)]), {}, before);
/** 12 of 90 fail newly, and 2 of 10 are fixed. */
const REGRESSED = caseSet(yesNo([...repeat(0, 12), ...repeat(1, 78), ...repeat(1, 2), ...repeat(0, 8)]), {}, now);
const TWIN = caseSet(yesNo([...repeat(0, 4), ...repeat(1, 86), ...repeat(1, 3), ...repeat(0, 7)]), {}, now);
const HALF = caseSet(yesNo(repeat(1, 50)), {}, now);

/** Three trials of each case: most pass, some newly do not in each. */
function withTrials(offset: number): readonly GivenCase[] {
  return Array.from({ length: 60 }, (_, at) => ({
    name: `q${String(at)}`,
    scores: {
      correct: [0, 1, 2].map((trial) => ((at * 7 + trial * 3 + offset) % 11 === 0 ? 0 : 1)),
      latency: [0, 1, 2].map((trial) => 900 + at * 5 + trial * 20 + offset),
    },
    metadata: { language: at % 3 === 0 ? "de" : "en" },
    errors: at === 0 ? 1 : 0,
  }));
}

const GATES = "correct not regressed\ncorrect not worse by 5pp\nwarn: newly_failing = 0";

/** Judgements as a step makes them. */
export const JUDGEMENTS = {
  regressed: judged(REGRESSED, PASSED_90, `${GATES}\ncorrect >= 0.75`),
  twin: judged(TWIN, PASSED_90, "correct not regressed\ncorrect >= 0.8"),
  unproven: judged(TWIN, PASSED_90, "correct not worse by 5pp"),
  warned: judged(TWIN, PASSED_90, "correct not regressed\nwarn: newly_failing = 0"),
  incomplete: judged(HALF, PASSED_90, "correct not regressed"),
  bootstrap: judged(TWIN, undefined, "correct not regressed\ncorrect >= 0.8"),
  missing: judged(TWIN, undefined, "correct not regressed", { failsWithoutBaseline: true }),
  shown: judged(TWIN, PASSED_90, ""),
  lost: judged(
    caseSet(yesNo(repeat(0, 5)), {}, now),
    caseSet(yesNo(repeat(1, 5)), {}, before),
    "correct not regressed",
  ),
  few: judged(
    caseSet(yesNo([0, 1, 1, 1, 1]), {}, now),
    caseSet(yesNo(repeat(1, 5)), {}, before),
    "correct not regressed",
  ),
  outage: outage("correct not regressed\nerrors = 0"),
  "allowed outage": outage("correct not regressed\nerrors = 0\nunmeasured <= 9"),
  trials: pooled(),
} as const satisfies Record<string, Judgement>;

/** 9 of 100 cases were not measured. */
function outage(gates: string): Judgement {
  const given = yesNo([...repeat(1, 82), ...repeat(0, 18)]).map((one, at) => {
    return at < 91 ? one : { ...one, scores: {}, unmeasured: at < 98 ? "unreachable" : "resolved" };
  });
  return judged(caseSet(given, {}, { ...now, serverVersions: ["0.16.7", "0.16.8"] }), PASSED_90, gates);
}

function pooled(): Judgement {
  const runs = [3, 5].map((offset) => caseSet(withTrials(offset), {}, before));
  const [first = PASSED_90] = runs;
  const gates = Gates.parse(
    "correct not regressed\ncorrect [language = de] drop <= 20pp\np95(latency) <= 3s\nerrors <= 3",
  );
  return judge({ results: caseSet(withTrials(4), {}, now), baseline: baselineOf(first, runs), gates });
}

/** A judgement as the event of a step. */
export function judgedEvent(judgement: Judgement, anchors: readonly string[] = []): JudgeEvent {
  const age = judgement.baseline === undefined ? undefined : 3 * 24 * 3_600_000;
  return {
    type: "judged",
    judgement,
    against: { patterns: ["baseline/*.snapshot.jsonl"], age, anchors },
    milliseconds: 80,
  };
}

const RESULTS = {
  name: "results/shard-1.jsonl",
  format: "jsonl",
  rows: 100,
  size: 12_400,
  digest: "sha256:0",
  columns: undefined,
  unread: [],
} as const;

/** The files that were read. */
export const READ: readonly JudgeEvent[] = [
  { type: "file-read", file: RESULTS },
  {
    type: "read",
    results: {
      files: [RESULTS],
      rows: 100,
      errors: 0,
      missingScores: 0,
      scores: new Map(),
      words: new Map(),
      latency: undefined,
      sharedRows: 0,
      failing: [],
      madeTimes: 0,
    },
    milliseconds: 40,
  },
];

const written = (what: Written, name: string): JudgeEvent => ({
  type: "written",
  what,
  path: `/tmp/judgement/${name}`,
  bytes: 12_400,
});

export const WRITTEN: readonly JudgeEvent[] = [
  written("snapshot", "results.snapshot.jsonl"),
  written("judgement", "judgement.json"),
  written("comment", "comment.md"),
];

export function ended(error?: Error): JudgeEvent {
  return { type: "ended", milliseconds: 120, error };
}

/** All events of a step that judged. */
export function runOf(judgement: Judgement, more: readonly JudgeEvent[] = []): readonly JudgeEvent[] {
  const warnings = judgement.warnings.map((message): JudgeEvent => ({ type: "warning", message }));
  return [...READ, ...warnings, judgedEvent(judgement), ...WRITTEN, ...more, ended()];
}
