import { isAssistantId } from "../agent-server/assistant-names.ts";
import type { GraphEntry } from "../contract/graph-config.ts";
import { pathAtStart, type JsonPath } from "../files/json/path.ts";
import { patternIn } from "../text/bounded-search.ts";
import { quoted } from "../text/quoted.ts";
import { PlanError } from "./errors.ts";
import type { SmokeRun } from "./request.ts";

export interface SmokePlan {
  /** The id of a graph or of an assistant; undefined if the agent must be asked for its only graph. */
  readonly graph: string | undefined;
  readonly input: SmokeRun["input"];
  readonly expectations: readonly Expectation[];
}

/** Throws PlanError for an invalid smoke run; `graphs` are those of the configuration file, if it is known. */
export function planSmokeRun(
  smoke: SmokeRun | undefined,
  graphs: readonly GraphEntry[] | undefined,
): SmokePlan | undefined {
  if (!smoke) return undefined;
  const expectations = smoke.expect.map((line) => {
    const reading = parseExpectation(line);
    if (reading.ok) return reading.expectation;
    throw new PlanError(`The smoke run cannot be checked: ${JSON.stringify(line)} ${reading.fault}.`);
  });
  return { graph: chooseGraph(smoke.graph, graphs), input: smoke.input, expectations };
}

function chooseGraph(graph: string | undefined, graphs: readonly GraphEntry[] | undefined): string | undefined {
  if (!graphs) return graph;
  const ids = graphs.map(({ id }) => id);
  const names = ids.map(quoted).join(", ");
  const reasons = ["GRAPH_UNCLEAR"] as const;
  if (graph === undefined) {
    if (ids.length === 1) return ids[0];
    throw new PlanError(`The smoke run needs a graph: the configuration file has ${names}.`, { reasons });
  }
  if (ids.includes(graph) || isAssistantId(graph)) return graph;
  throw new PlanError(`Unknown graph ${quoted(graph)} for the smoke run. Available: ${names}.`, { reasons });
}

/** What an agent's answer must hold; a line that a user wrote. */
export interface Expectation {
  /** Its text is empty for the answer as a whole. */
  readonly place: JsonPath;
  /** What must be there: text, or a regular expression between slashes. */
  readonly wanted: string;
  readonly matches: (text: string) => boolean;
}

/** An expectation, or why the line is invalid. */
export type ExpectationReading =
  | { readonly ok: true; readonly expectation: Expectation }
  /** Follows the line in a message; without a full stop. */
  | { readonly ok: false; readonly fault: string };

/**
 * Reads one line: `TEXT`, `/REGULAR EXPRESSION/flags`, or either of them after a place in the answer, as in
 * `$.messages[-1].content: TEXT`. An index below zero counts from the end; a key with other characters is `["a key"]`.
 */
export function parseExpectation(line: string): ExpectationReading {
  const text = line.trim();
  const read = /^\$[.[:]/.test(text) ? pathAtStart(text) : undefined;
  if (!read) return matcherOf(WHOLE, text);
  const wanted = /^:\s+(.+)$/su.exec(read.rest)?.[1];
  if (wanted === undefined) return { ok: false, fault: "must be `PATH: TEXT`, for example `$.messages[-1]: TEXT`" };
  return matcherOf(read.path, wanted);
}

const WHOLE: JsonPath = { text: "", steps: [] };

function matcherOf(place: JsonPath, wanted: string): ExpectationReading {
  if (!wanted.startsWith("/")) {
    return { ok: true, expectation: { place, wanted, matches: (text) => text.includes(wanted) } };
  }
  const pattern = patternIn(wanted);
  if (!pattern) return { ok: false, fault: "is not a valid regular expression; write /PATTERN/flags (flags: imsu)" };
  return { ok: true, expectation: { place, wanted, matches: (text) => pattern.test(text) } };
}
