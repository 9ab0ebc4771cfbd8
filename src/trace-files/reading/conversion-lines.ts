// Lines of a shell that make a readable file of the traces of other programs, with jq from 1.6 on.

/** The document, or each of a list of them. */
export const EACH = 'if type=="array" then .[] else . end';

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
// A table of spans has a column for each attribute.
export const TABLE_OF_SPANS = toOtlp(EACH, {
  ...OF_CONTEXT,
  trace: '.["context.trace_id"]',
  span: '.["context.span_id"]',
  error: '.status_code=="ERROR"',
  message: ".status_message",
  attributes:
    'to_entries|map(select((.key|startswith("attributes.")) and .value!=null)|{key:.key[11:],value:(.value|s)})',
});
export const SPANS_WITH_CONTEXT = toOtlp("..|objects|select(.context? and .start_time?)", OF_CONTEXT);

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
export const SPANS_OF_JS = toOtlp(
  "..|objects|select(.attributes? and .name? and (.traceId? or .context? or ._spanContext? or .spanContext?))",
  OF_SDK_FOR_JS,
);

export const SPANS_OF_JAEGER = toOtlp("..|objects|select(.operationName? and .spanID?)", {
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

export const OBSERVATIONS_OF_LANGFUSE =
  `jq -c 'def u: if length==16 then "\\(.[:8])-\\(.[8:12])-\\(.[12:])-8000-000000000000" else . end; ` +
  `${EACH}|.observations//.data//.|${EACH}|{id:(.id|u),parent_run_id:(.parentObservationId//""|u),name:(.name//.type),` +
  `run_type:({GENERATION:"llm",EMBEDDING:"embedding",TOOL:"tool",RETRIEVER:"retriever"}[.type]//"chain"),` +
  `start_time:.startTime,end_time:.endTime,inputs:.input,outputs:.output,error:(if .level=="ERROR" then .statusMessage//"ERROR" else null end),` +
  `extra:{metadata:{usage_metadata:([.usageDetails,.usage|select(length>0)][0]//{}|{input_tokens:(.input//.promptTokens),output_tokens:(.output//.completionTokens),total_tokens:(.total//.totalTokens)})}}}' FILE > runs.jsonl`;

// The parts of one response share its id and repeat its usage.
export const SESSION_OF_CLAUDE_CODE =
  `jq -cs 'map(select(.sessionId and .timestamp))|.[0].sessionId as $s|` +
  `{id:$s,name:"session",run_type:"chain",start_time:.[0].timestamp,end_time:.[-1].timestamp,` +
  `inputs:map(select(.type=="user"))[0].message},` +
  `(map(select(.type=="assistant"))|group_by(.message.id)[]|{id:.[0].uuid,parent_run_id:$s,name:(.[0].message.model//"assistant"),run_type:"llm",` +
  `start_time:.[0].timestamp,end_time:.[-1].timestamp,outputs:{content:map(.message.content[]?)},` +
  `extra:{metadata:{usage_metadata:.[-1].message.usage}}})' FILE > runs.jsonl`;

export const SESSION_OF_CODEX =
  `jq -cs '.[0].payload.id as $s|` +
  `{id:$s,name:"session",run_type:"chain",start_time:.[0].timestamp,end_time:.[-1].timestamp,` +
  `extra:{metadata:{usage_metadata:([.[].payload.info?.total_token_usage//empty]|last)}}},` +
  `(.[]|select(.type=="response_item")|{parent_run_id:$s,name:(.payload.name//.payload.type),` +
  `run_type:(if .payload.type|endswith("_call") then "tool" else "chain" end),start_time:.timestamp,` +
  `outputs:.payload})' FILE > runs.jsonl`;
