import type { TrialOutcome } from "../contract/trial-outcome.ts";
import { type JsonObject, objectIn } from "../files/json/value.ts";
import { rowOf, withoutState, withScores } from "../scoring/row.ts";
import type { Scoring } from "../scoring/scorers.ts";
import { outcomeIn } from "../scoring/tally.ts";
import type { EvaluationCase } from "../scoring/dataset.ts";
import { keyOf, NOT_BEGUN, type Trial } from "../scoring/trial.ts";
import type { EvaluationDeps, EvaluationRequest } from "./evaluation.ts";
import type { EndedTrial, Journal } from "./journal.ts";

const UNSETTLED: ReadonlySet<string> = new Set([
  "cancelled",
  "timeout",
  "unasked",
  "unreachable",
] satisfies TrialOutcome[]);
export interface TrialsParts {
  readonly request: EvaluationRequest;
  readonly deps: EvaluationDeps;
  readonly cases: readonly EvaluationCase[];
  readonly revisionId: string;
  readonly scoring: Scoring;
  readonly journal: Journal;
}

/** A trial, and how it ended last. */
export type KnownTrial = Omit<Trial, "attempt"> & { readonly ended: EndedTrial | undefined };

/** All trials of an evaluation: they are scored, and stand in its journal then. */
export class Trials {
  readonly #parts: TrialsParts;
  /** Answers that scorers work at, by trial. */
  readonly #unscored = new Map<string, { readonly trial: Trial; readonly row: JsonObject }>();
  #isClosed = false;

  constructor(parts: TrialsParts) {
    this.#parts = parts;
  }

  /** The first trial of each case, then the second. */
  all(): KnownTrial[] {
    const { request, cases, journal } = this.#parts;
    const repetitions = Array.from({ length: request.trials }, (_, repetition) => repetition);
    return repetitions.flatMap((repetition) =>
      cases.map((each) => ({ case: each, repetition, ended: journal.ended(each.id, repetition) })),
    );
  }

  /** Keeps a trial with its scores; false where all is over before it has them. */
  async score(trial: Trial, row: JsonObject): Promise<boolean> {
    const { scoring } = this.#parts;
    const key = keyOf(trial);
    if (row["actual_outputs"] !== undefined) this.#unscored.set(key, { trial, row });
    const scores = await scoring.scoresOf(row);
    if (this.#isClosed) return false;
    this.#unscored.delete(key);
    this.#keep(trial, withScores(row, scores));
    return true;
  }

  /** Nothing more is kept. What is not scored by now is left to the evaluation that takes the journal up. */
  close(): void {
    this.#isClosed = true;
    const missing = { missing: "the evaluation ended before", isBroken: true };
    const scores = this.#parts.request.scorers.flatMap(({ keys }) => keys.map((key) => ({ key, ...missing })));
    for (const { trial, row } of this.#unscored.values()) this.#keep(trial, withScores(row, scores));
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #keep(trial: Trial, row: JsonObject): void {
    const facts = objectIn(row["run_metadata"]);
    const outcome = outcomeIn(facts) ?? "unverified";
    const isSettled = !UNSETTLED.has(outcome) && !("broken_scores" in facts);
    // What is scored again needs the state.
    const kept = isSettled ? this.#shown(row) : row;
    this.#parts.journal.end(trial, outcome, kept, isSettled);
  }

  #shown(row: JsonObject): JsonObject {
    return this.#parts.request.keepState ? row : withoutState(row);
  }

  /** The rows of the results by case, so that the same answers are the same bytes. */
  *rows(open: ReadonlySet<string>): Generator<JsonObject> {
    const { request, deps, revisionId, journal } = this.#parts;
    const now = deps.clock.date();
    const sorted = this.all().sort((a, b) => (a.case.id < b.case.id ? -1 : Number(a.case.id > b.case.id)));
    for (const { case: each, repetition, ended } of sorted) {
      const outcome = open.has(keyOf({ case: each, repetition })) ? "cancelled" : "unasked";
      const answer = {
        ...NOT_BEGUN,
        outcome,
        threadId: "",
        traceId: "",
        inFlight: 0,
        startedAt: now,
        endedAt: now,
      } as const;
      yield ended
        ? this.#shown(journal.row(ended))
        : rowOf({ case: each, repetition, attempt: 1 }, answer, request, revisionId);
    }
  }

  /** No later evaluation has a reason to ask one of them again. */
  get isSettled(): boolean {
    return this.all().every(({ ended }) => ended?.isSettled === true);
  }
}
