import { describe, expect, test } from "vitest";
import { behindFaults } from "../../dist/upload-front.ts";
import { rowOf } from "../../dist/upload-step.ts";
import { traceStep } from "../../dist/trace-step.ts";
import { runAction, type ActionResult } from "../../runner/runner.ts";
import { linesOf, run } from "../../trace-files/read-files.ts";
import { ECHOES, expectNothingPrivate, PRIVATE } from "../../wire/echoes.ts";
import { startFaultServer } from "../../wire/fault-server.ts";
import { status } from "../../wire/faults.ts";

const FIELDS = {
  inputs: { question: PRIVATE.input, weight: PRIVATE.number },
  outputs: { answer: PRIVATE.output, name: PRIVATE.short },
};

// All in one step each would take minutes: these are the ways that differ in how the report shows them.
const SHOWN = ECHOES.filter(([name]) =>
  ["a msg", "a text detail", "a message", "plain text", "a page's title"].includes(name),
);

/** The step failed, and nobody can read in its log, summary or outputs what it sent. */
function expectPrivateFailure({ exitCode, rawStdout, summary, outputs }: ActionResult): void {
  expect(exitCode).toBe(1);
  expect(rawStdout).toContain("::error");
  expectNothingPrivate([rawStdout, summary, ...outputs.values()].join("\n"));
}

describe("log, summary and outputs repeat nothing of what was sent, though the service does", () => {
  test.each(SHOWN)("of results: %s", async (_, body) => {
    const { options, front, write } = await behindFaults();
    const { inputs, outputs: actual_outputs } = FIELDS;
    await write({ "results.jsonl": `${JSON.stringify(rowOf(1, { inputs, actual_outputs }))}\n` });
    front.script({ method: "POST" }, status(422, body), 9);
    expectPrivateFailure(await runAction(options()));
    expect(front.count({ method: "POST" })).toBe(1);
  });

  test.each(SHOWN)("of traces: %s", async (_, body) => {
    const service = await startFaultServer(({ method }) =>
      method === "GET" ? { status: 404, body: {} } : { ...body, status: 422 },
    );
    const { options, write } = await traceStep(service.url);
    await write({ "runs.jsonl": linesOf([run(1, FIELDS), run(2, FIELDS)]) });
    expectPrivateFailure(await runAction(options()));
    expect(service.count({ method: "POST" })).toBeGreaterThan(0);
  });
});
