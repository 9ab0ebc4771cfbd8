import { hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isJsonObject, type JsonObject, type JsonValue, objectIn } from "../files/json/value.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { closest } from "../text/closest.ts";
import { listed, quoted } from "../text/quoted.ts";
import { messageOf } from "../text/reasons.ts";
import { ScorerError } from "./errors.ts";
import { scoredRowOf } from "./row.ts";
import type { ScoredBy, ScoredRow, Scorer, ScoringDeps, StartedScorer, TrialScore } from "./scorer.ts";
import { SCORER_KINDS, type ScorerFault } from "./scorer-kinds.ts";

/** Scores the trials of an evaluation; what it starts ends when it is disposed of. */
export class Scoring implements AsyncDisposable {
  readonly #started: readonly (StartedScorer & Pick<Scorer, "definition" | "keys" | "name">)[];
  readonly #onAgentError: ScoredBy["onAgentError"];

  constructor({ scorers, onAgentError }: ScoredBy, deps: ScoringDeps) {
    this.#onAgentError = onAgentError;
    this.#started = scorers.map(({ name, keys, definition, start }) => ({ name, keys, definition, ...start(deps) }));
  }

  /** Of the definitions and the files that they name, in hex. Throws ScorerError where one of these cannot be used. */
  async digest(): Promise<string> {
    const parts: Record<string, unknown> = {};
    for (const { name, definition, contents } of this.#started) {
      parts[name] = [
        definition,
        await contents().catch((error: unknown) => {
          throw new ScorerError(name, error);
        }),
      ];
    }
    return hash("sha256", canonicalJson(parts), "hex");
  }

  /** A score for each key, in the order of the scorers. */
  async score(row: ScoredRow): Promise<readonly TrialScore[]> {
    const scores = this.#started.map(({ keys, score }) =>
      // An answer may be nested deeper than the stack, and a file be gone.
      score(row).catch((error: unknown) => keys.map((key) => ({ key, missing: messageOf(error), isBroken: true }))),
    );
    return (await Promise.all(scores)).flat();
  }

  /** The scores of a row: those of an answer, 0 for an error of the agent where that counts, and else none. */
  async scoresOf(row: JsonObject): Promise<readonly TrialScore[]> {
    const { outcome } = objectIn(row["run_metadata"]);
    // Scorers that wait for nothing would keep a cancel and the deadline from being heard until the last row.
    await nextTurn();
    if (outcome === "answered") return this.score(scoredRowOf(row));
    const isZero = outcome === "agent-error" && this.#onAgentError === "zero";
    return isZero ? this.#started.flatMap(({ keys }) => keys.map((key) => ({ key, score: 0 }))) : [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#started.map(({ end }) => end()));
  }
}

/** Reads the definitions of scorers by their names. */
export function readScorers(given: JsonObject): {
  readonly scorers: readonly Scorer[];
  readonly faults: readonly ScorerFault[];
} {
  const scorers: Scorer[] = [];
  const faults: ScorerFault[] = [];
  for (const [name, definition] of Object.entries(given)) {
    const read = readScorer(name, definition);
    if ("start" in read) scorers.push(read);
    else faults.push(...read.map(({ path, message }) => ({ path: [name, ...path], message })));
  }
  const all = scorers.flatMap(({ keys }) => keys);
  for (const { name, keys } of scorers) {
    const twice = keys.find((key) => all.indexOf(key) !== all.lastIndexOf(key));
    if (twice !== undefined)
      faults.push({ path: [name], message: `makes the score ${quoted(twice)}, as another does` });
  }
  return { scorers, faults };
}

function readScorer(name: string, definition: JsonValue): Scorer | readonly ScorerFault[] {
  if (!isJsonObject(definition)) return [{ path: [], message: "must be a scorer, for example `{ equals: $.answer }`" }];
  const written = Object.keys(definition);
  const [kind, other] = SCORER_KINDS.filter(({ word }) => written.includes(word));
  if (other) return [{ path: [other.word], message: `stands beside \`${String(kind?.word)}\`; set one of them` }];
  if (kind) return kind.read(name, definition);
  const words = SCORER_KINDS.map(({ word }) => word);
  for (const key of written) {
    const near = closest(key, words);
    if (near !== undefined) return [{ path: [key], message: `is no kind of scorer; did you mean \`${near}\`?` }];
  }
  return [{ path: [], message: `has no kind of scorer, which is one of ${listed(words)}` }];
}
