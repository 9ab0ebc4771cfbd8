// What other programs write, in small: the keys and values are those of their own files.

const TRACE = "5b8efff798038103d269b633813fc60c";
const [ROOT, CALL] = ["eee19b7ec3c1b174", "eee19b7ec3c1b175"];
const START = 1_777_888_800;

const ATTRIBUTES = {
  "gen_ai.operation.name": "chat",
  "gen_ai.input.messages": '[{"role":"user","parts":[{"type":"text","content":"why?"}]}]',
  "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"text","content":"so"}]}]',
  "gen_ai.usage.input_tokens": 3,
  "gen_ai.usage.output_tokens": 4,
};
const VERCEL = {
  ...ATTRIBUTES,
  "operation.name": "ai.generateText.doGenerate",
  "ai.operationId": "ai.generateText.doGenerate",
};

function printedSpan(name: string, span: string, parent: string | null, attributes: object) {
  return {
    name,
    context: { trace_id: `0x${TRACE}`, span_id: `0x${span}`, trace_state: "[]" },
    kind: "SpanKind.INTERNAL",
    parent_id: parent === null ? null : `0x${parent}`,
    start_time: "2026-05-04T10:00:00.250000Z",
    end_time: "2026-05-04T10:00:02.000001Z",
    status: { status_code: parent === null ? "UNSET" : "ERROR", description: "late" },
    attributes,
    events: [{ name: "exception", timestamp: "2026-05-04T10:00:01.000000Z", attributes: {} }],
    links: [{ context: { trace_id: `0x${TRACE}`, span_id: `0x${span}`, trace_state: "[]" }, attributes: {} }],
    resource: { attributes: { "service.name": "desk" }, schema_url: "" },
  };
}

function phoenixSpan(name: string, span: string, parent: string | null, attributes: object) {
  return {
    id: "U3Bhbjox",
    name,
    context: { trace_id: TRACE, span_id: span },
    span_kind: "LLM",
    parent_id: parent,
    start_time: "2026-05-04T10:00:00.250000+00:00",
    end_time: "2026-05-04T10:00:02.000001+00:00",
    status_code: parent === null ? "OK" : "ERROR",
    status_message: "",
    attributes,
    events: [],
  };
}

function jsSpan(name: string, span: string, parent: string | undefined, attributes: object) {
  return {
    name,
    kind: 0,
    _spanContext: { traceId: TRACE, spanId: span, traceFlags: 1 },
    parentSpanContext: parent === undefined ? undefined : { traceId: TRACE, spanId: parent, traceFlags: 1 },
    startTime: [START, 250_000_000],
    endTime: [START + 2, 1_000],
    status: { code: parent === undefined ? 0 : 2 },
    attributes,
    links: [],
    events: [{ name: "ai.stream.firstChunk", attributes: { a: 1 }, time: [START + 1, 5], droppedAttributesCount: 0 }],
    instrumentationScope: { name: "ai" },
  };
}

function jaegerSpan(name: string, span: string, parent: string | undefined, attributes: object) {
  const references = parent === undefined ? [] : [{ refType: "CHILD_OF", traceID: TRACE, spanID: parent }];
  const tags = [...Object.entries(attributes), ...(parent === undefined ? [] : [["error", true] as const])];
  return {
    traceID: TRACE,
    spanID: span,
    operationName: name,
    references,
    startTime: START * 1_000_000 + 250_000,
    duration: 1_750_001,
    tags: tags.map(([key, value]) => ({ key, type: typeof value, value })),
    logs: [],
    processID: "p1",
    warnings: null,
  };
}

function otlpSpan(name: string, span: string, parent: string, attributes: object) {
  return {
    traceId: TRACE,
    spanId: span,
    parentSpanId: parent,
    name,
    startTimeUnixNano: `${String(START)}250000000`,
    endTimeUnixNano: `${String(START + 2)}000001000`,
    status: { code: parent === "" ? 0 : 2 },
    attributes: Object.entries(attributes).map(([key, value]) => ({
      key,
      value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value as unknown },
    })),
  };
}

function runs() {
  const [root, call] = ["019df237-5c80-7000-8000-000000000001", "019df237-5c80-7000-8000-000000000002"];
  const start_time = "2026-05-04T10:00:00.250000Z";
  const end_time = "2026-05-04T10:00:02.000001Z";
  return [
    { id: root, name: "agent", run_type: "chain", start_time, end_time, inputs: { q: "why?" }, outputs: { a: "so" } },
    {
      id: call,
      parent_run_id: root,
      name: "call",
      run_type: "llm",
      ...{ start_time, end_time, inputs: { q: "why?" }, outputs: { a: "so" }, error: "late" },
      ...{ total_tokens: 7, session_id: "0f8fad5b-d9cb-469f-a165-70867728950e" },
    },
  ] as const;
}

function batch() {
  const [root, call] = runs();
  const order = `20260504T100000250000Z${root.id}`;
  const place = { trace_id: root.id, dotted_order: order };
  const { outputs, end_time, ...begun } = root;
  const below = { trace_id: root.id, dotted_order: `${order}.20260504T100000250000Z${call.id}` };
  return {
    post: [
      { ...begun, ...place },
      { ...call, ...below },
    ],
    patch: [{ id: root.id, ...place, outputs, end_time }],
  };
}

function observation(id: string, parent: string | null, fields: object) {
  return {
    id,
    traceId: TRACE,
    parentObservationId: parent,
    startTime: "2026-05-04T10:00:00.250Z",
    endTime: "2026-05-04T10:00:02.000Z",
    input: { q: "why?" },
    output: "so",
    ...fields,
  };
}

const CLAUDE = { sessionId: "4f35e220-c435-4cf7-b9b9-f40426042847", isSidechain: false, cwd: "/w", version: "2.1.12" };
const SAID = { id: "msg_1", model: "claude", role: "assistant", usage: { input_tokens: 3, output_tokens: 4 } };

function pair<Span>(make: (name: string, span: string, parent: never, attributes: object) => Span, none: unknown) {
  return [make("agent", ROOT, none as never, {}), make("call", CALL, ROOT as never, ATTRIBUTES)] as const;
}

const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const pretty = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value, null, 4)}\n`).join("");

const OBSERVATIONS = [
  observation(ROOT, null, { type: "SPAN", name: "agent", level: "DEFAULT" }),
  observation(CALL, ROOT, {
    ...{ type: "GENERATION", name: "call", level: "ERROR", statusMessage: "late" },
    usageDetails: { input: 3, output: 4, total: 7 },
  }),
];

/** A row of a table of spans. */
function flat({ context, attributes, ...span }: ReturnType<typeof phoenixSpan>) {
  const columns = Object.entries(attributes).map(([name, value]) => [`attributes.${name}`, value] as const);
  const ids = { "context.trace_id": context.trace_id, "context.span_id": context.span_id };
  return { ...span, ...ids, "attributes.llm.model_name": null, ...Object.fromEntries(columns) };
}

/** Files with a run `agent` and a model call of 7 tokens with an error below it, and what each is called. */
export const SPAN_FILES: readonly (readonly [what: string, content: string])[] = [
  ["OpenTelemetry SDK", pretty(pair(printedSpan, null))],
  ["OpenTelemetry SDK", JSON.stringify(pair(printedSpan, null))],
  ["OpenTelemetry SDK", lines(pair(printedSpan, null))],
  ["Phoenix", JSON.stringify(pair(phoenixSpan, null), null, 2)],
  ["Phoenix", lines(pair(phoenixSpan, null))],
  ["Phoenix", JSON.stringify({ data: pair(phoenixSpan, null), next_cursor: null })],
  [
    "Jaeger",
    JSON.stringify({ data: [{ traceID: TRACE, spans: pair(jaegerSpan, undefined), processes: {} }], total: 0 }),
  ],
  ["Jaeger", JSON.stringify([{ traceID: TRACE, spans: pair(jaegerSpan, undefined), processes: {} }], null, 2)],
  ["Tempo", JSON.stringify({ batches: [{ resource: {}, scopeSpans: [{ spans: pair(otlpSpan, "") }] }] })],
  [
    "Tempo",
    JSON.stringify({ trace: { resourceSpans: [{ scopeSpans: [{ spans: pair(otlpSpan, "") }] }] }, metrics: {} }),
  ],
  ["Vercel AI SDK", lines([jsSpan("agent", ROOT, undefined, VERCEL), jsSpan("call", CALL, ROOT, VERCEL)])],
  ["OpenTelemetry SDK for JavaScript", JSON.stringify(pair(jsSpan, undefined))],
  ["OTLP without the request", JSON.stringify(pair(otlpSpan, ""))],
  ["LangSmith", JSON.stringify(batch())],
  ["LangSmith", JSON.stringify({ runs: runs(), cursors: {} })],
  ["LangSmith", JSON.stringify({ export_metadata: { total: 2 }, traces: runs() }, null, 2)],
  [
    "Langfuse",
    JSON.stringify({ trace: { id: TRACE, name: "t", projectId: "p", input: null }, observations: OBSERVATIONS }),
  ],
  ["Langfuse", JSON.stringify({ id: TRACE, name: "t", observations: OBSERVATIONS, scores: [] }, null, 2)],
  ["Langfuse", JSON.stringify({ data: OBSERVATIONS, meta: { page: 1 } })],
  ["Langfuse", lines(OBSERVATIONS)],
  ["OpenTelemetry SDK", JSON.stringify({ spans: pair(printedSpan, null) })],
  ["Phoenix", lines(pair(phoenixSpan, null).map(flat))],
  ["OTLP without the request", JSON.stringify({ scopeSpans: [{ scope: {}, spans: pair(otlpSpan, "") }] })],
];

/** Sessions of programs that write code: a root and what the model said below it, of 7 tokens together. */
export const SESSION_FILES: readonly (readonly [what: string, content: string])[] = [
  [
    "Claude Code",
    lines([
      { type: "summary", summary: "Questions", leafUuid: "42f8e822-c264-4c7e-b42c-5ba1c4810245" },
      {
        ...CLAUDE,
        ...{ parentUuid: null, type: "user", uuid: "9ff29d57-8b28-4da9-8e7f-b0e4e7e2ba46" },
        message: { role: "user", content: "why?" },
        timestamp: "2026-05-04T10:00:00.250Z",
      },
      ...["9ff29d57-8b28-4da9-8e7f-b0e4e7e2ba47", "9ff29d57-8b28-4da9-8e7f-b0e4e7e2ba48"].map((uuid, at) => ({
        ...CLAUDE,
        ...{ parentUuid: "9ff29d57-8b28-4da9-8e7f-b0e4e7e2ba46", type: "assistant", uuid },
        message: { ...SAID, content: [{ type: "text", text: `so ${String(at)}` }] },
        timestamp: `2026-05-04T10:00:0${String(at + 1)}.000Z`,
      })),
    ]),
  ],
  [
    "Codex",
    lines([
      {
        timestamp: "2026-05-04T10:00:00.250Z",
        type: "session_meta",
        payload: {
          id: "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5",
          cwd: "/w",
          originator: "codex_exec",
          cli_version: "0.46.0",
        },
      },
      {
        timestamp: "2026-05-04T10:00:01.000Z",
        type: "response_item",
        payload: { type: "message", role: "assistant", content: [{ type: "output_text", text: "so 0 so 1" }] },
      },
      {
        timestamp: "2026-05-04T10:00:01.500Z",
        type: "event_msg",
        payload: {
          type: "token_count",
          info: { total_token_usage: { input_tokens: 3, cached_input_tokens: 2, output_tokens: 4, total_tokens: 7 } },
        },
      },
    ]),
  ],
];
