import { RUN_TYPES, type RunType } from "../../contract/run.ts";
import type { RunSums, TraceSums } from "../events.ts";
import { NO_ROW, type RunFacts, type RunTable } from "./run-table.ts";
import type { RunTree } from "./run-tree.ts";

/**
 * Adds up all runs except those that are left out. The tokens of a run are those of the runs below it, where these have
 * any: they are counted there. Else they are its own.
 */
export function sumsOf(table: RunTable, tree: RunTree, isLeftOut: (row: number) => boolean = () => false): TraceSums {
  const all = new Sums();
  const sessions = new Map<number, Sums>();
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
    addIn(types, facts.runType, facts, isTrace);
    addIn(sessions, table.sessions.get(row), facts, isTrace);
  }
  return {
    ...all.sums,
    traces: all.traces,
    sessions: [...sessions].map(([number, { sums, traces, firstMicroseconds, lastMicroseconds }]) => {
      const session = table.session(number) ?? { name: undefined, id: undefined };
      return { session, ...sums, traces, firstMicroseconds, lastMicroseconds };
    }),
    // The known types first.
    types: new Map(
      [...RUN_TYPES, ...types.keys()].flatMap((type) => {
        const found = types.get(type);
        return found ? [[type, found.sums]] : [];
      }),
    ),
  };
}

class Sums {
  traces = 0;
  firstMicroseconds = Number.POSITIVE_INFINITY;
  lastMicroseconds = 0;
  #runs = 0;
  #errors = 0;
  #tokens?: number;

  add({ hasError, tokens, startMicroseconds: start, endMicroseconds: end = 0 }: RunFacts, isTrace: boolean): void {
    this.#runs += 1;
    if (hasError) this.#errors += 1;
    if (tokens !== undefined) this.#tokens = (this.#tokens ?? 0) + tokens;
    if (isTrace) this.traces += 1;
    this.firstMicroseconds = Math.min(this.firstMicroseconds, start);
    this.lastMicroseconds = Math.max(this.lastMicroseconds, start, end);
  }

  get sums(): RunSums {
    return { runs: this.#runs, errors: this.#errors, tokens: this.#tokens };
  }
}

function addIn<Key>(all: Map<Key, Sums>, key: Key, facts: RunFacts, isTrace: boolean): void {
  const sums = all.get(key) ?? new Sums();
  all.set(key, sums);
  sums.add(facts, isTrace);
}
