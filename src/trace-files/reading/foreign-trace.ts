import { RUN_FIELDS } from "../../contract/run.ts";
import { DataFileError } from "../../files/json/errors.ts";
import type { JsonPeek } from "../../files/json/peek.ts";
import { spellings } from "../otlp/field.ts";

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
  if (found === undefined) return;
  throw new DataFileError({ file }, `the file has ${found.what}, which this step cannot read`, {
    advice: `To convert ${found.what}: \`${found.line}\`.`,
  });
}

/** The document, or each of a list of them. */
const EACH = 'if type=="array" then .[] else . end';

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

/** Nanoseconds of ISO 8601, of seconds and nanoseconds, or of a number of any unit, which has 10 digits of seconds. */
const TIME =
  'def t: ((if type=="array" then "\\(.[0])\\(.[1]+1000000000|tostring|.[1:])" elif type=="string" ' +
  'then (.[19:]|capture("^(?<f>[.][0-9]+)?(?<s>[+-])?(?<h>[0-9]{2})?:?(?<m>[0-9]{2})?")) as $z|' +
  '(.[:10]+"T"+.[11:19]+"Z"|fromdate)+(if $z.s=="-" then 60 else -60 end)*' +
  '(("0"+($z.h//"")|tonumber)*60+("0"+($z.m//"")|tonumber))|tostring+($z.f//""|.[1:]) ' +
  'else tostring|gsub("[.]";"") end)+"000000000")[:19];';
const TEXT = 'def s: {stringValue:(if type=="string" then . else tojson end)};';
const MAP = "to_entries|map({key,value:(.value|s)})";
// Some programs have the messages of a call in events.
const EVENTS = `.events[]?|{name,timeUnixNano:(.timestamp//.time|t),attributes:(.attributes//{}|${MAP})}`;
const EVENTS_OF_JAEGER =
  '.logs[]?|{name:([.fields[]?|select(.key=="event").value][0]//"event"),timeUnixNano:(.timestamp|t),' +
  "attributes:[.fields[]?|{key,value:(.value|s)}]}";

/** The fields of a span as programs of jq. */
interface SpanPrograms {
  readonly trace: string;
  readonly span: string;
  readonly parent: string;
  readonly name?: string;
  readonly start: string;
  readonly end: string;
  readonly error: string;
  /** Why it failed, where the program writes that. */
  readonly message?: string;
  readonly events?: string;
  readonly attributes: string;
}

/** Writes an export request for each object that the program `spans` finds. */
function toOtlp(
  spans: string,
  { trace, span, parent, name = ".name", message = "null", events = EVENTS, ...of }: SpanPrograms,
): string {
  const fields = [
    `traceId:(${trace})`,
    `spanId:(${span})`,
    `parentSpanId:(${parent})`,
    `name:${name}`,
    `startTimeUnixNano:(${of.start}|t)`,
    `endTimeUnixNano:(${of.end}|t)`,
    `status:{code:(if ${of.error} then 2 else 0 end),message:(${message})}`,
    `attributes:(${of.attributes})`,
    `events:[${events}]`,
  ];
  const request = `{resourceSpans:[{scopeSpans:[{spans:[{${fields.join()}}]}]}]}`;
  return `jq -c '${TIME} ${TEXT} ${spans}|${request}' FILE > traces.otlp.jsonl`;
}

const OF_CONTEXT: SpanPrograms = {
  trace: '.context.trace_id|ltrimstr("0x")',
  span: '.context.span_id|ltrimstr("0x")',
  parent: '.parent_id//""|ltrimstr("0x")',
  start: ".start_time",
  end: ".end_time",
  error: '(.status.status_code? // .status_code)=="ERROR"',
  message: ".status.description? // .status_message",
  attributes: `.attributes//{}|${MAP}`,
};
const WITH_CONTEXT = toOtlp("..|objects|select(.context? and .start_time?)", OF_CONTEXT);

const OF_SDK_FOR_JS: SpanPrograms = {
  trace: ".traceId//.context.traceId//._spanContext.traceId//.spanContext.traceId",
  span: ".spanId//.context.spanId//._spanContext.spanId//.spanContext.spanId//.id",
  parent: '.parentSpanId//.parentSpanContext.spanId//.parentId//""',
  start: "(.startTime//.timestamp)",
  end: '(.endTime//.end_time//(.timestamp+(.duration|if type=="number" then . else 0 end)))',
  error: '.status.code==2 or .status.code=="ERROR"',
  message: ".status.message",
  attributes: `.attributes//{}|${MAP}`,
};
const OF_JS = toOtlp(
  "..|objects|select(.attributes? and .name? and (.traceId? or .context? or ._spanContext? or .spanContext?))",
  OF_SDK_FOR_JS,
);
const OWN_KEYS_OF_JS = ["_spanContext", "parentSpanContext", "instrumentationScope", "instrumentationLibrary"];

const OF_JAEGER = toOtlp("..|objects|select(.operationName? and .spanID?)", {
  trace: '("0"*32+.traceID)[-32:]',
  span: '("0"*16+.spanID)[-16:]',
  parent: '[(.references[]?|select(.refType=="CHILD_OF").spanID),(.parentSpanID//empty)|("0"*16+.)[-16:]][0]//""',
  name: ".operationName",
  start: ".startTime",
  end: "(.startTime+.duration)",
  error: 'any(.tags[]?;.key=="error" and (.value|tostring)=="true")',
  attributes: ".tags//[]|map({key,value:(.value|s)})",
  events: EVENTS_OF_JAEGER,
});

const OF_LANGFUSE =
  `jq -c 'def u: if length==16 then "\\(.[:8])-\\(.[8:12])-\\(.[12:])-8000-000000000000" else . end; ` +
  `${EACH}|.observations[]|{id:(.id|u),parent_run_id:(.parentObservationId//""|u),name:(.name//.type),` +
  `run_type:({GENERATION:"llm",EMBEDDING:"embedding",TOOL:"tool",RETRIEVER:"retriever"}[.type]//"chain"),` +
  `start_time:.startTime,end_time:.endTime,inputs:.input,outputs:.output,error:(if .level=="ERROR" then .statusMessage//"ERROR" else null end),` +
  `extra:{metadata:{usage_metadata:([.usageDetails,.usage|select(length>0)][0]//{}|{input_tokens:.input,output_tokens:.output,total_tokens:.total})}}}' FILE > runs.jsonl`;

// The parts of one response share its id and repeat its usage.
const OF_CLAUDE_CODE =
  `jq -cs 'map(select(.sessionId and .timestamp))|.[0].sessionId as $s|` +
  `{id:$s,name:"session",run_type:"chain",start_time:.[0].timestamp,end_time:.[-1].timestamp},` +
  `(map(select(.type=="assistant"))|group_by(.message.id)[]|{id:.[0].uuid,parent_run_id:$s,name:.[0].message.model,run_type:"llm",` +
  `start_time:.[0].timestamp,end_time:.[-1].timestamp,outputs:{content:map(.message.content[]?)},` +
  `extra:{metadata:{usage_metadata:.[-1].message.usage}}})' FILE > runs.jsonl`;

const OF_CODEX =
  `jq -cs '.[0].payload.id as $s|` +
  `{id:$s,name:"session",run_type:"chain",start_time:.[0].timestamp,end_time:.[-1].timestamp,` +
  `extra:{metadata:{usage_metadata:([.[].payload.info?.total_token_usage//empty]|last)}}},` +
  `(.[]|select(.type=="response_item")|{parent_run_id:$s,name:(.payload.name//.payload.type),` +
  `run_type:(if .payload.type|endswith("_call") then "tool" else "chain" end),start_time:.timestamp,` +
  `outputs:.payload})' FILE > runs.jsonl`;

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
    line: OF_JAEGER,
  },
  {
    what: "the observations of a trace of Langfuse",
    isIn: (keysAt) =>
      hasAll(keysAt, [], "trace", "observations") || hasAny(keysAt, ["observations"], ["parentObservationId"]),
    line: OF_LANGFUSE,
  },
  {
    what: "the spans of Phoenix",
    isIn: (keysAt) =>
      [[], ["data"]].some(
        (path) => hasAll(keysAt, path, "context", "span_kind") && hasAll(keysAt, [...path, "context"], "span_id"),
      ),
    line: WITH_CONTEXT,
  },
  {
    what: "spans as the OpenTelemetry SDK prints them (`to_json()`)",
    isIn: (keysAt) => hasAll(keysAt, ["context"], "trace_id", "span_id") && hasAll(keysAt, [], "start_time"),
    line: WITH_CONTEXT,
  },
  {
    what: "spans of the Vercel AI SDK",
    isIn: (keysAt) => [[], ["spans"]].some((path) => hasAny(keysAt, [...path, "attributes"], ["ai.operationId"])),
    line: OF_JS,
  },
  {
    what: "spans as the OpenTelemetry SDK for JavaScript keeps them",
    isIn: (keysAt) => hasAll(keysAt, [], "attributes") && hasAny(keysAt, [], OWN_KEYS_OF_JS),
    line: OF_JS,
  },
  {
    what: "spans of OTLP without the request around them",
    isIn: (keysAt) => [[], ["data"], ["spans"]].some((path) => hasAny(keysAt, path, spellings("startTimeUnixNano"))),
    line: `jq -c '..|objects|select(.startTimeUnixNano? // .start_time_unix_nano?)|{resourceSpans:[{scopeSpans:[{spans:[.]}]}]}' FILE > traces.otlp.jsonl`,
  },
  {
    what: "a batch of LangSmith (`post` and `patch`)",
    isIn: (keysAt) => ["post", "patch"].some((key) => hasAny(keysAt, [key], ["dotted_order", "run_type", "trace_id"])),
    line: `jq -c '${EACH}|.post[]?,(.patch[]?|.+{event:"patch"})' FILE > runs.jsonl`,
  },
  {
    what: "a session of Claude Code",
    isIn: (keysAt) => hasAll(keysAt, [], "sessionId", "parentUuid"),
    line: OF_CLAUDE_CODE,
  },
  {
    what: "a session of Codex",
    isIn: (keysAt) =>
      hasAll(keysAt, [], "payload", "timestamp", "type") &&
      hasAny(keysAt, ["payload"], ["cli_version", "originator", "call_id", "role"]),
    line: OF_CODEX,
  },
];
