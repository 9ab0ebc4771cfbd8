import jq from "jq-wasm";
import { describe, expect, test } from "vitest";
import { TracesError } from "../../../src/trace-files/errors.ts";
import { TRACE_FORMATS } from "../../../src/trace-files/request.ts";
import { linesOf, readFiles, run, uuid, type Reading } from "../read-files.ts";
import { request, span } from "../otlp/spans.ts";
import { contentOf, SESSION_FILES, SPAN_FILES } from "./foreign-traces.ts";

async function refused(content: string, options?: Reading): Promise<TracesError> {
  const error = await readFiles({ "traces.json": content }, options).catch((caught: unknown) => caught);
  return error instanceof TracesError ? error : expect.fail("nothing was refused");
}

/** Carries out the line that an error advises, and reads what it wrote. */
async function converted(content: string) {
  const { advice = "" } = await refused(content);
  const [, flags = "", program = "", written = ""] =
    /`jq (-\S+) '([^']+)' FILE > (\S+)`/.exec(advice) ?? expect.fail(advice);
  // By itself it throws no error behind the first output.
  const output = await jq.raw(content, `try (${program}) catch "failed: \\(.)"`, [flags]);
  expect(output).not.toContain("failed: ");
  return await readFiles({ [written]: output });
}

describe("traces in a shape that other programs write", () => {
  test.each([...SPAN_FILES, ...SESSION_FILES])(
    "of $name are named in the error, whatever the format",
    async ({ what, content }) => {
      for (const format of [undefined, ...TRACE_FORMATS]) {
        const { message, advice, count } = await refused(content, format === undefined ? {} : { format });
        expect(message).toMatch(/^traces\.json: the file has .*, which this step cannot read\.$/);
        expect(message).toContain(what);
        expect(advice).toMatch(/^To convert .+: `jq .+ > (runs\.jsonl|traces\.otlp\.jsonl)`\.$/);
        // A log shows so much of a line.
        expect(advice?.length).toBeLessThan(1_500);
        expect(count).toBe(1);
      }
    },
  );

  test.each(SPAN_FILES)("of $name are read once the line of the error has converted them", async ({ content }) => {
    const { sent, read } = await converted(content);
    const posts = sent.filter(({ event }) => event === "post").map((each) => each.run);
    const [root, call] = [posts.find(({ name }) => name === "agent"), posts.find(({ name }) => name === "call")];
    expect(posts).toHaveLength(2);
    expect(call).toMatchObject({ run_type: "llm", parent_run_id: root?.id, error: expect.any(String) as string });
    expect(root).not.toHaveProperty("error");
    expect(String(call?.["start_time"])).toMatch(/^2026-05-04T10:00:00\.250/);
    expect(String(call?.["end_time"])).toMatch(/^2026-05-04T10:00:02(\.000(001)?)?Z$/);
    expect(JSON.stringify(call?.["inputs"])).toContain("why?");
    expect(JSON.stringify(call?.["outputs"])).toContain("so");
    expect(read.sums).toMatchObject({ traces: 1, tokens: 7 });
  });

  test.each(SESSION_FILES)("of $name are read once the line of the error has converted them", async ({ content }) => {
    const { sent, read } = await converted(content);
    const [root, said] = sent.map((each) => each.run);
    expect(sent).toHaveLength(2);
    expect(said?.["parent_run_id"]).toBe(root?.id);
    expect(JSON.stringify(said?.["outputs"])).toMatch(/so 0.*so 1/);
    expect(read.sums).toMatchObject({ traces: 1, tokens: 7 });
  });

  test.each([
    "2026-05-04T12:00:00.25+02:00",
    "2026-05-04T02:30:00.250-07:30",
    "2026-05-04T10:00:00.250000",
    "2026-05-04 10:00:00.250000+0000",
  ])("keep a time that is written as %s", { tags: "slow" }, async (time) => {
    for (const { content } of SPAN_FILES) {
      const other = content.replaceAll(/"2026-05-04T10:00:00\.250000(?:Z|\+00:00)"/g, JSON.stringify(time));
      if (other === content || !content.includes("context")) continue;
      const { sent } = await converted(other);
      for (const { run: each } of sent) expect(each["start_time"]).toMatch(/^2026-05-04T10:00:00\.250/);
      expect(sent).toHaveLength(2);
    }
  });

  test("have no end where none is written, and the message of their error", { tags: "slow" }, async () => {
    for (const { name, content } of SPAN_FILES.filter(({ what }) => ["OpenTelemetry SDK", "Phoenix"].includes(what))) {
      const other = content
        .replaceAll(/"2026-05-04T10:00:02[^"]*"/g, "null")
        .replaceAll('"status_message": ""', '"status_message": "late"')
        .replaceAll('"status_message":""', '"status_message":"late"');
      const { sent } = await converted(other);
      expect(
        sent.map(({ run: each }) => [each["end_time"], each["error"]]),
        name,
      ).toEqual([
        [undefined, undefined],
        [undefined, "late"],
      ]);
    }
  });

  test("keep the messages of a call that are events, and what was thrown", { tags: "slow" }, async () => {
    const said = [
      { name: "gen_ai.user.message", attributes: { content: "why not?" } },
      { name: "gen_ai.choice", attributes: { message: '{"content":"so it is"}' } },
      { name: "exception", attributes: { "exception.type": "Late", "exception.message": "much" } },
    ];
    const printed = said.map((event) => ({ ...event, timestamp: "2026-05-04T10:00:01Z", time: [1_777_888_801, 5] }));
    const logs = said.map(({ name, attributes }) => {
      const fields = Object.entries({ event: name, ...attributes }).map(([key, value]) => ({ key, value }));
      return { timestamp: 1_777_888_801_000_000, fields };
    });
    for (const { what, content } of SPAN_FILES.filter(({ name }) => /SDK|Phoenix|Jaeger/.test(name))) {
      const other = content
        .replaceAll(/"(?:description|status_message)": ?"[^"]*"/g, '"no": ""')
        .replaceAll(/"((?:attributes\.)?)gen_ai\.((?:in|out)put)\.messages/g, '"$1other.$2')
        .replaceAll(/"events": ?\[(?:[^[\]]|\[[^\]]*\])*\]/g, `"events": ${JSON.stringify(printed)}`)
        .replaceAll(/"logs": ?\[\]/g, `"logs": ${JSON.stringify(logs)}`);
      const { sent } = await converted(other);
      const call = sent.map(({ run: each }) => each).find(({ name }) => name === "call");
      expect(JSON.stringify(call?.["inputs"]), what).toContain("why not?");
      expect(JSON.stringify(call?.["outputs"]), what).toContain("so it is");
      expect(call?.["error"], what).toBe("Late: much");
      expect(JSON.stringify(call?.["events"]), what).toContain('"time":"2026-05-04T10:00:01');
    }
  });

  test("are converted from a list of documents as well", { tags: "slow" }, async () => {
    const documents = SPAN_FILES.filter(({ content }) => /^\{"(?:batches|trace|post|runs|data)"/.test(content));
    expect(documents.length).toBeGreaterThan(5);
    for (const { what, content } of documents) {
      const posts = (await converted(`[${content}]`)).sent.filter(({ event }) => event === "post");
      expect(posts, what).toHaveLength(2);
    }
  });

  test("of Langfuse keep the tokens of an older version", async () => {
    const content = contentOf("Langfuse/trace.json");
    for (const usage of ['"usage":{"input":3,"output":4', '"usage":{"promptTokens":3,"completionTokens":4']) {
      const older = content.replace('"usageDetails":{"input":3,"output":4,"total":7', `"usageDetails":{},${usage}`);
      expect(older).not.toBe(content);
      expect((await converted(older)).read.sums.tokens).toBe(7);
    }
  });

  test("of Jaeger keep the parents that older versions write into the span", async () => {
    const content = contentOf("Jaeger/page.json");
    const older = content.replace(/"references":\[\{[^}]*"spanID":("\w+")\}\]/, '"references":[],"parentSpanID":$1');
    expect(older).not.toBe(content);
    const { sent, read } = await converted(older);
    expect(read.sums.traces).toBe(1);
    expect(sent[1]?.run["parent_run_id"]).toBe(sent[0]?.run.id);
  });

  test("of Claude Code keep what was asked, and an answer that names no model", async () => {
    const content = contentOf("Claude-Code/session.jsonl");
    const { sent } = await converted(content.replaceAll('"model":"claude",', ""));
    expect(sent.map(({ run: each }) => each["name"])).toEqual(["session", "assistant"]);
    expect(JSON.stringify(sent[0]?.run["inputs"])).toContain("why?");
  });

  test("of several programs in one upload have a line each", async () => {
    const files = Object.fromEntries(
      [...SPAN_FILES, ...SPAN_FILES].map(({ content }, at) => [`${String(at)}.json`, content]),
    );
    const error = await readFiles(files).catch((caught: unknown) => caught);
    const { advice = "", count } = error instanceof TracesError ? error : expect.fail("nothing was refused");
    expect(count).toBe(2 * SPAN_FILES.length);
    expect(advice.match(/`jq /g)).toHaveLength(3);
  });

  test("do not hide runs and spans that have fields with their names", async () => {
    const fields = { context: { trace_id: "a", span_id: "b" }, span_kind: "LLM", sessionId: "s", parentUuid: "p" };
    const more = { payload: { role: "r" }, timestamp: 1, type: "t", runs: [run(2)], batches: [{ scopeSpans: [] }] };
    expect((await readFiles({ "a.jsonl": linesOf([run(1, { ...fields, ...more })]) })).sent).toHaveLength(1);
    const patch = { event: "patch", id: uuid(1), end_time: 1_777_888_800, outputs: { run_type: "llm", start_time: 1 } };
    expect((await readFiles({ "a.jsonl": linesOf([run(1)]), "b.jsonl": linesOf([patch]) })).sent).toHaveLength(2);
    const added = {
      ...patch,
      trace_id: uuid(1),
      dotted_order: `20260504T090001000000Z${uuid(1)}`,
      post: { trace_id: 1 },
    };
    expect((await readFiles({ "a.jsonl": linesOf([added]) })).sent).toHaveLength(1);
    const { run_type, name, start_time, inputs } = run(1, {
      inputs: { run_type: 1, start_time: 1, text: "x".repeat(300_000) },
    });
    const behind = linesOf([{ inputs, name, start_time, run_type }]);
    expect((await readFiles({ "a.jsonl": behind }, { format: "jsonl" })).sent).toHaveLength(1);
    const spans = { ...(request([span(1)]) as object), ...fields, ...more };
    expect((await readFiles({ "a.json": JSON.stringify(spans) })).sent).toHaveLength(1);
  });
});
