import { testWith } from "../../test-with.ts";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { projectRoot } from "../../../scripts/command.ts";
import { startLocalService } from "../../../src/local/index.ts";
import { idsOf, RunServer } from "../../tracing/run-server.ts";
import { runAction, startAction } from "../../runner/runner.ts";
import { expectHarmlessMarkdown } from "../../front/account/harmless.ts";
import { linesOf, run, uuid } from "../../trace-files/read-files.ts";
import { API_KEY } from "../../dist/step.ts";
import { traceStep } from "../../dist/trace-step.ts";
import { errorsOf, expectGreen, redSentence } from "../../dist/upload-step.ts";

const Runs = z.object({ resources: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** A local service, a step for it, and what it has of a session. */
async function localStep() {
  const service = await startLocalService({ apiKey: API_KEY });
  onTestFinished(() => service.close());
  const stored = async (session: string) => {
    const path = `/runs?session=${encodeURIComponent(session)}&limit=1000`;
    const answer = await fetch(service.url + path, { headers: { "x-api-key": API_KEY } });
    return Runs.parse(await answer.json()).resources;
  };
  return { ...(await traceStep(service.url)), service, stored };
}
const withLocalStep = testWith(localStep);

/** A root and two runs below it. */
const THREE = linesOf([
  run(1, { end_time: "2026-05-04T09:00:09Z" }),
  run(2, { parent_run_id: uuid(1), run_type: "llm", outputs: { usage_metadata: { total_tokens: 7 } } }),
  run(3, { parent_run_id: uuid(2), run_type: "tool", inputs: { city: "Paris" }, error: "no" }),
]);

describe("an upload of traces", () => {
  test("is green, writes every output and the summary, and leaks and leaves nothing", async () => {
    const { options, write, stored } = await localStep();
    await write({ "runs.jsonl": THREE });
    const result = await runAction(options());
    expectGreen(result);
    expect(Object.fromEntries(result.outputs)).toEqual({
      "run-count": "3",
      "trace-count": "1",
      "error-count": "1",
      "rejected-count": "0",
      "upload-status": "uploaded",
      "unsent-path": "",
      "request-path": "",
    });
    expect(result.log).toEqual([
      "Task          upload of traces",
      expect.stringContaining(`runs.jsonl: jsonl, 3 runs, ${String(THREE.length)} bytes`),
      expect.stringContaining("chain 1 · llm 1 · tool 1 · 1 with an error · 7 tokens"),
      expect.stringContaining("nightly: 1 trace, 3 runs"),
      expect.stringContaining("3 runs in 1 trace, "),
    ]);
    expect(result.summary).toContain("### ✅ 1 trace in nightly ");
    expect(result.summary).toContain("| nightly | 1 | 3 | 1 | 7 | 2026-05-04 09:00:01 | 8 s |");
    expect((await stored("nightly")).map(({ id }) => id)).toEqual([1, 2, 3].map(uuid));
  });

  withLocalStep("stores nothing twice when it is done again", async ({ options, write, stored }) => {
    await write({ "runs.jsonl": THREE });
    for (let time = 0; time < 2; time += 1) {
      const result = await runAction(options());
      expectGreen(result);
      expect(result.outputs.get("run-count")).toBe("3");
    }
    expect(await stored("nightly")).toHaveLength(3);
  });

  withLocalStep("takes the files of examples/traces, of both formats", async ({ options, stored }) => {
    const result = await runAction(options({}, { workspace: join(projectRoot, "examples/traces") }));
    expectGreen(result);
    expect(Object.fromEntries(result.outputs)).toMatchObject({
      "run-count": "15",
      "trace-count": "5",
      "error-count": "3",
    });
    expect((await stored("support-agent")).map(({ name }) => name)).toEqual(
      Array.from({ length: 3 }, () => ["support-agent", "search-articles", "answer"]).flat(),
    );
    const [agent, chat, tool, request] = await stored("nightly");
    expect(agent).toMatchObject({
      name: "invoke_agent travel-planner",
      run_type: "chain",
      inputs: { messages: [{ role: "user", parts: [{ content: "What should I pack for Lisbon tomorrow?" }] }] },
    });
    expect(chat).toMatchObject({ run_type: "llm", parent_run_id: agent?.id });
    expect(tool).toMatchObject({
      run_type: "tool",
      inputs: { city: "Lisbon" },
      outputs: { temperature: 18, rain: true },
    });
    expect(request).toMatchObject({ name: "GET /forecast", parent_run_id: tool?.id, trace_id: agent?.id });
  });

  test("rehearses on a service of its own, and needs no key for that", async () => {
    const { options, write } = await traceStep("local");
    await write({ "runs.jsonl": THREE });
    const result = await runAction(options({ "api-key": "" }));
    expect(result).toMatchObject({ exitCode: 0, rawStderr: "" });
    expect(result.log.slice(0, 2)).toEqual(["Task          upload of traces", expect.stringMatching(/^Rehearsal/)]);
    expect(result.outputs.get("run-count")).toBe("3");
    expect(result.summary).toContain("is uploaded (rehearsal)");
  });

  withLocalStep("of a dry run leaves the runs in a file, and sends nothing", async ({ options, write, service }) => {
    await write({ "runs.jsonl": THREE });
    const result = await runAction(options({ "dry-run": "true", "base-url": "", "api-key": "" }));
    expect(result).toMatchObject({ exitCode: 0, faults: [], leaked: [] });
    expect(result.leftInTemp).toEqual([expect.stringMatching(/^graph-deploy-request-\w+\/runs\.jsonl$/)]);
    const lines = (await readFile(result.outputs.get("request-path") ?? "", "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => Runs.shape.resources.element.parse(JSON.parse(line)).id)).toEqual([1, 2, 3].map(uuid));
    expect(service.requests).toEqual([]);
  });
});

describe("a step that cannot upload", () => {
  test("says all that is wrong with its files at once, and sends nothing", async () => {
    const { options, write, service } = await localStep();
    await write({
      "a.jsonl": linesOf([run(1), run(2, { run_type: 7 }), run(3, { start_time: null })]),
      "b.jsonl": '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"x"}]}]}]}\n',
    });
    const result = await runAction(options());
    expect(redSentence(result)).toMatch(/^The traces have 5 .*nothing was sent: .*; .*\.$/);
    expect(result.log).toContain("  a.jsonl, line 3  `start_time` is missing");
    expect(result.log).toContain(
      "  b.jsonl, line 1  the `spanId` of a span must be 16 hex digits, or their bytes in base64",
    );
    expect(service.requests).toEqual([]);
  });

  withLocalStep("ends green without files where that is allowed, and sends nothing", async ({ options, service }) => {
    const result = await runAction(options({ traces: "none.jsonl", "if-no-files-found": "warn" }));
    expect(result.exitCode).toBe(0);
    expect(result.outputs.get("upload-status")).toBe("no-files");
    expect(result.annotations).toMatchObject([
      { type: "warning", message: expect.stringMatching(/^traces: none\.jsonl/) as string },
    ]);
    expect(result.summary).toMatch(/^### Traces: no file/);
    expect(service.requests).toEqual([]);
  });
});

test("a service that takes some runs leaves the others in a file, which the next step completes", async () => {
  const server = await RunServer.start();
  const { options, write } = await traceStep(server.url);
  await write({ "runs.jsonl": linesOf([...Array(40).keys()].map((at) => run(at))) });
  server.script = (request) =>
    idsOf(request).includes(uuid(7)) ? { status: 422, json: { detail: "too odd" } } : undefined;
  const result = await runAction(options());
  expect(result).toMatchObject({ exitCode: 1, leaked: [], faults: [], rawStderr: "" });
  expect(errorsOf(result)).toEqual([expect.stringMatching(/^39 of 40 runs are stored; .* 1 run\.$/)]);
  expect(result.log).toContainEqual(expect.stringMatching(`^ {2}runs\\.jsonl, line 8 {2}run ${uuid(7)}: .*too odd`));
  expect(Object.fromEntries(result.outputs)).toMatchObject({
    "run-count": "39",
    "rejected-count": "1",
    "upload-status": "partial",
  });
  expect(result.leftInTemp).toEqual([expect.stringMatching(/^graph-deploy-unsent-\w+\/runs\.jsonl$/)]);

  server.script = () => undefined;
  const again = await runAction(options({ traces: result.outputs.get("unsent-path") ?? "" }));
  expect(again).toMatchObject({ exitCode: 0, faults: [] });
  expect(again.outputs.get("run-count")).toBe("1");
  expect(server.runs.size).toBe(40);
});

describe.skipIf(process.platform === "win32")("an upload that is cancelled", () => {
  test("ends at the first signal, reports the progress, and leaves nothing", async () => {
    const server = await RunServer.start();
    const { options, write } = await traceStep(server.url);
    await write({ "runs.jsonl": THREE });
    const stalled = Promise.withResolvers<undefined>();
    onTestFinished(() => {
      stalled.resolve(undefined);
    });
    server.script = ({ path }) => (path.endsWith("/multipart") ? stalled.promise : undefined);
    const running = await startAction(options());
    await expect.poll(() => server.batches.length).toBe(1);
    running.signal("SIGINT");
    const result = await running.result;
    expect(redSentence(result)).toMatch(/cancelled when 0 of 3 runs/);
    expect(result.annotations.map(({ title }) => title)).toEqual(["Cancelled"]);
  });
});

withLocalStep("texts of others give the runner no command and break no table", async ({ options, write, stored }) => {
  const line = "::error::x ##[group]y ::add-mask::nightly | <b> @team `c` [a](http://x.y) %0A::warning::z";
  const lines = `a\n::stop-commands::t\r\n##[add-mask]q\u2028::error::z \u001b[31mred \u202Ebidi`;
  const hostile = { name: line, inputs: { [line]: lines }, error: lines, session_name: line };
  await write({ "a::error::x.jsonl": linesOf([run(1, hostile), run(2)]) });
  const result = await runAction(options());
  expectGreen(result);
  // For the key, and for the token of the job.
  expect(result.commands.map(({ name }) => name)).toEqual(["add-mask", "add-mask"]);
  for (const shown of result.log) expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202e]/u);
  expectHarmlessMarkdown(result.summary);
  expect(await stored(line)).toMatchObject([{ name: line, error: lines, inputs: { [line]: lines } }]);
});
