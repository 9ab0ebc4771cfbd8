import { RUN_FIELDS } from "../../contract/run.ts";
import { DataFileError } from "../../files/json/errors.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import { spellings } from "../otlp/field.ts";
import {
  EACH,
  OBSERVATIONS_OF_LANGFUSE,
  SESSION_OF_CLAUDE_CODE,
  SESSION_OF_CODEX,
  SPANS_OF_JAEGER,
  SPANS_OF_JS,
  SPANS_WITH_CONTEXT,
  TABLE_OF_SPANS,
} from "./conversion-lines.ts";

type KeysAt = JsonPeek["keysAt"];

/** A shape of traces that other programs write, and the line of a shell that makes a readable file of it. */
interface ForeignTrace {
  readonly what: string;
  /** By the keys of the objects to which a path of keys leads, as far as the beginning of the file shows them. */
  readonly isIn: (keysAt: KeysAt) => boolean;
  readonly line: string;
}

// What only readable files have at their top.
const READABLE = [
  "run_type",
  "dotted_order",
  ...["resourceSpans", "resourceLogs", "resourceMetrics"].flatMap(spellings),
];
const SCOPES = ["scopeSpans", "instrumentationLibrarySpans"].flatMap(spellings);

/** Refuses a file of traces in a shape that is not read. Throws DataFileError that says what it is and how to convert it. */
export function refuseForeign(file: string, { keysAt, topKeys }: JsonPeek): void {
  if (READABLE.some((key) => topKeys.includes(key))) return;
  const found = FOREIGN.find(({ isIn }) => isIn(keysAt)) ?? runsInKey(keysAt);
  if (!found) return;
  throw new DataFileError({ file }, `the file has ${found.what}, which this step cannot read`, {
    advice: `To convert ${found.what}: \`${found.line}\`.`,
  });
}

/** A list of runs in a key of a document, as exports of LangSmith have it. */
function runsInKey(keysAt: KeysAt): Pick<ForeignTrace, "line" | "what"> | undefined {
  const keys = keysAt([]);
  // The fields of a run may hold anything.
  if (keys.includes("id")) return undefined;
  const key = keys.find(
    (name) =>
      /^[a-z]\w{0,59}$/i.test(name) && !RUN_FIELDS.includes(name) && hasAll(keysAt, [name], "run_type", "start_time"),
  );
  if (key === undefined) return undefined;
  const line = `jq -c '${EACH}|.${key}[]' FILE > runs.jsonl`;
  return { what: `runs in the key \`${key}\`, as LangSmith exports them`, line };
}

function hasAll(keysAt: KeysAt, path: readonly string[], ...keys: readonly string[]): boolean {
  const found = keysAt(path);
  return keys.every((key) => found.includes(key));
}

function hasAny(keysAt: KeysAt, path: readonly string[], keys: readonly string[]): boolean {
  const found = keysAt(path);
  return keys.some((key) => found.includes(key));
}

const OWN_KEYS_OF_JS = ["_spanContext", "parentSpanContext", "instrumentationScope", "instrumentationLibrary"];

const FOREIGN: readonly ForeignTrace[] = [
  {
    what: "the traces of Tempo",
    isIn: (keysAt) => hasAny(keysAt, ["batches"], SCOPES),
    line: `jq -c '${EACH}|{resourceSpans:.batches}' FILE > traces.otlp.jsonl`,
  },
  {
    what: "the traces of Tempo",
    isIn: (keysAt) => hasAny(keysAt, ["trace"], ["resourceSpans", "batches"]),
    line: `jq -c '${EACH}|.trace|{resourceSpans:(.resourceSpans//.batches)}' FILE > traces.otlp.jsonl`,
  },
  {
    what: "the traces of Jaeger",
    isIn: (keysAt) =>
      [["data", "spans"], ["spans"], [], ["data"]].some((path) => hasAll(keysAt, path, "operationName", "spanID")),
    line: SPANS_OF_JAEGER,
  },
  {
    what: "the observations of a trace of Langfuse",
    isIn: (keysAt) =>
      hasAll(keysAt, [], "trace", "observations") ||
      [["observations"], ["data"], []].some((path) => hasAny(keysAt, path, ["parentObservationId"])),
    line: OBSERVATIONS_OF_LANGFUSE,
  },
  {
    what: "the spans of Phoenix",
    isIn: (keysAt) =>
      [[], ["data"]].some(
        (path) => hasAll(keysAt, path, "context", "span_kind") && hasAll(keysAt, [...path, "context"], "span_id"),
      ),
    line: SPANS_WITH_CONTEXT,
  },
  {
    what: "the spans of Phoenix",
    isIn: (keysAt) => hasAll(keysAt, [], "context.span_id", "context.trace_id"),
    line: TABLE_OF_SPANS,
  },
  {
    what: "spans as the OpenTelemetry SDK prints them (`to_json()`)",
    isIn: (keysAt) =>
      [[], ["data"], ["spans"]].some(
        (path) => hasAll(keysAt, [...path, "context"], "trace_id", "span_id") && hasAll(keysAt, path, "start_time"),
      ),
    line: SPANS_WITH_CONTEXT,
  },
  {
    what: "spans of the Vercel AI SDK",
    isIn: (keysAt) => [[], ["spans"]].some((path) => hasAny(keysAt, [...path, "attributes"], ["ai.operationId"])),
    line: SPANS_OF_JS,
  },
  {
    what: "spans as the OpenTelemetry SDK for JavaScript keeps them",
    isIn: (keysAt) => hasAll(keysAt, [], "attributes") && hasAny(keysAt, [], OWN_KEYS_OF_JS),
    line: SPANS_OF_JS,
  },
  {
    what: "spans of OTLP without the request around them",
    isIn: (keysAt) => [[], ["data"], ["spans"]].some((path) => hasAny(keysAt, path, spellings("startTimeUnixNano"))),
    line: `jq -c '..|objects|select(.startTimeUnixNano? // .start_time_unix_nano?)|{resourceSpans:[{scopeSpans:[{spans:[.]}]}]}' FILE > traces.otlp.jsonl`,
  },
  {
    what: "spans of OTLP without the request around them",
    isIn: (keysAt) => hasAny(keysAt, [], SCOPES),
    line: `jq -c '${EACH}|{resourceSpans:[.]}' FILE > traces.otlp.jsonl`,
  },
  {
    what: "a batch of LangSmith (`post` and `patch`)",
    isIn: (keysAt) => ["post", "patch"].some((key) => hasAny(keysAt, [key], ["dotted_order", "run_type", "trace_id"])),
    line: `jq -c '${EACH}|.post[]?,(.patch[]?|.+{event:"patch"})' FILE > runs.jsonl`,
  },
  {
    what: "a session of Claude Code",
    isIn: (keysAt) => hasAll(keysAt, [], "sessionId", "parentUuid"),
    line: SESSION_OF_CLAUDE_CODE,
  },
  {
    what: "a session of Codex",
    isIn: (keysAt) =>
      hasAll(keysAt, [], "payload", "timestamp", "type") &&
      hasAny(keysAt, ["payload"], ["cli_version", "originator", "call_id", "role"]),
    line: SESSION_OF_CODEX,
  },
];
