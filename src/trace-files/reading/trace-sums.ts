import { RUN_TYPES, type RunType } from "../../contract/run.ts";
import type { RunSums, SessionSums, TraceSums } from "../events.ts";
import { NO_ROW, type RunFacts, type RunTable } from "./run-table.ts";
import type { RunTree } from "./run-tree.ts";

/**
 * Adds up all runs except those that are left out. The tokens of a run are those of the runs below it, where these have
 * any: they are counted there. Else they are its own.
 */
export function sumsOf(table: RunTable, tree: RunTree, isLeftOut: (row: number) => boolean = () => false): TraceSums {
  const all = new Sums();
  const sessions = new Map<number, SessionTally>();
  const types = new Map<RunType, Sums>();
  const parts = new Set<string>();
  // For each run 1 where a run below it has tokens.
  const repeats = new Uint8Array(table.count);
  for (let row = 0; row < table.count; row++) {
    if (isLeftOut(row) || (table.factsOf(row).tokens ?? 0) === 0) continue;
    // What is above a run with a mark has one.
    let above = table.parents.get(row);
    for (; above !== NO_ROW && repeats[above] === 0; above = table.parents.get(above)) repeats[above] = 1;
  }
  for (let row = 0; row < table.count; row++) {
    if (isLeftOut(row)) continue;
    const stated = table.factsOf(row);
    const facts = repeats[row] === 1 ? { ...stated, tokens: undefined } : stated;
    const isTop = table.parents.get(row) === NO_ROW;
    const part = isTop && tree.isPart(row) ? tree.traceIdOf(row) : undefined;
    const isTrace = isTop && (part === undefined || !parts.has(part));
    if (part !== undefined) parts.add(part);
    all.add(facts, isTrace);
    madeIn(types, facts.runType, () => new Sums()).add(facts, isTrace);
    madeIn(sessions, table.sessions.get(row), () => new SessionTally()).add(facts, isTrace);
  }
  return {
    ...all.sums,
    traces: all.traces,
    sessions: [...sessions].map(([number, tally]) => tally.of(table.session(number) ?? NO_SESSION)),
    // The known types first.
    types: new Map(
      [...RUN_TYPES, ...types.keys()].flatMap((type) => {
        const found = types.get(type);
        return found ? [[type, found.sums]] : [];
      }),
    ),
  };
}

const NO_SESSION = { name: undefined, id: undefined };

class Sums {
  traces = 0;
  #runs = 0;
  #errors = 0;
  #tokens?: number;

  add({ hasError, tokens }: RunFacts, isTrace: boolean): void {
    this.#runs += 1;
    if (hasError) this.#errors += 1;
    if (tokens !== undefined) this.#tokens = (this.#tokens ?? 0) + tokens;
    if (isTrace) this.traces += 1;
  }

  get sums(): RunSums {
    return { runs: this.#runs, errors: this.#errors, tokens: this.#tokens };
  }
}

class SessionTally extends Sums {
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

  override add(facts: RunFacts, isTrace: boolean): void {
    super.add(facts, isTrace);
    this.#first = Math.min(this.#first, facts.startMicroseconds);
    this.#last = Math.max(this.#last, facts.startMicroseconds, facts.endMicroseconds ?? 0);
  }

  of(session: SessionSums["session"]): SessionSums {
    return {
      session,
      ...this.sums,
      traces: this.traces,
      firstMicroseconds: this.#first,
      lastMicroseconds: this.#last,
    };
  }
}

function madeIn<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
