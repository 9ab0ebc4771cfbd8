import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { openTrace } from "../../../../front/steps/deploy/trace.ts";
import type { DeployEvent, Emit } from "../../../../src/deployment/events.ts";
import { Endpoint } from "../../../../src/http/endpoint.ts";
import { Redactor } from "../../../../src/http/redactor.ts";
import { withRunServer, RunServer } from "../../../tracing/run-server.ts";

const OLD = "01a20035-df88-793b-a217-385d280ca039";
const request = {
  target: { name: "agent-hunter2", deploymentId: OLD },
  revisionId: OLD,
  timeoutMilliseconds: 1000,
  pollCapMilliseconds: 1000,
  smokeTest: false,
  onSuperseded: "fail",
} as const;

/** Traces work to a server, and returns the events of the step. */
async function trace(server: RunServer, work: (emit: Emit) => Promise<void>, signal = new AbortController().signal) {
  const redactor = new Redactor();
  redactor.add("hunter2");
  const events: DeployEvent[] = [];
  const emit: Emit = (event) => events.push(event);
  const run = { ref: "fix-hunter2", attempt: 1 };
  const service = new Endpoint(server.url, { apiKey: "key" });
  const to = { service, session: "deploys", allowHttp: false, proxy: {}, run };
  const surroundings = { redactor, signal, emit, local: to.service };
  const traced = async () => {
    await using tracing = openTrace({ task: "follow", request }, to, surroundings);
    try {
      await work((event) => {
        tracing.note(event);
        emit(event);
      });
    } catch (error) {
      tracing.fail(error);
      throw error;
    }
  };
  const failure = await traced().catch((error: unknown) => error);
  return { failure, events };
}

const ended: DeployEvent = { type: "ended", outcome: "deployed", milliseconds: 1, error: undefined };

describe("work that is traced", () => {
  withRunServer("warns when its runs arrived and their ends did not", { tags: "slow" }, async (server) => {
    const { events } = await trace(server, async (emit) => {
      while (server.runs.size === 0) await sleep(10);
      server.script = () => ({ status: 401 });
      emit(ended);
    });
    expect(events).toMatchObject([
      { type: "ended" },
      { type: "trace-sent", runs: 1 },
      {
        type: "warning",
        message: expect.stringMatching(
          /the end of 1 run could not be sent\. .*Check the API key: .*`trace-api-key` sets it\.$/,
        ),
      },
    ]);
  });

  withRunServer("reports no secret, wherever it stands", async (server) => {
    const { events } = await trace(server, (emit) => Promise.resolve(emit(ended)));
    expect(events).toMatchObject([{ type: "ended" }, { type: "trace-sent" }]);
    const [run] = server.runs.values();
    expect(run).toMatchObject({ inputs: { name: "agent-***" }, extra: { metadata: { ref: "fix-***", attempt: 1 } } });
    expect(JSON.stringify(run)).not.toContain("hunter2");
  });

  withRunServer("is a run with its error when it could not even begin", async (server) => {
    const { failure } = await trace(server, () => Promise.reject(new Error("no folder, said hunter2")));
    expect(failure).toMatchObject({ message: "no folder, said hunter2" });
    expect([...server.runs.values()]).toMatchObject([
      { error: "Error: no folder, said ***", end_time: expect.any(String) },
    ]);
  });

  test(
    "is not held up for long by a trace that goes nowhere, once the step is cancelled",
    { tags: "slow" },
    async () => {
      const server = await RunServer.start();
      const cancel = new AbortController();
      server.script = async ({ path }) => {
        if (path !== "/runs/multipart") return undefined;
        cancel.abort();
        await sleep(60_000, undefined, { ref: false });
        return undefined;
      };
      const { events } = await trace(server, (emit) => Promise.resolve(emit(ended)), cancel.signal);
      expect(events.at(-1)).toMatchObject({ message: expect.stringContaining("within 2 s") });
    },
  );
});
