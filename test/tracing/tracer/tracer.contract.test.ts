import { testWith } from "../../test-with.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { parseDottedOrder } from "../../../src/contract/dotted-order.ts";
import { runFaults } from "../../../src/contract/run-rules.ts";
import { Run } from "../../../src/contract/run.ts";
import { systemClock } from "../../../src/http/clock.ts";
import { RunIngest } from "../../../src/tracing/ingest/ingest.ts";
import { Tracer, type TracerOptions } from "../../../src/tracing/tracer/tracer.ts";
import { ingest } from "../rig.ts";
import { RunServer } from "../run-server.ts";

async function world(options: Partial<TracerOptions> = {}) {
  const server = await RunServer.start();
  const sender = ingest(server.url, { clock: systemClock });
  const tracer = new Tracer({ ingest: sender, clock: systemClock, session: { session_name: "tests" }, ...options });
  /** All runs, as a tree of names in the order of their places. */
  const runs = async () => {
    await tracer.flush();
    const all = [...server.runs.values()].map((run) => Run.parse(run));
    expect(all.flatMap((run) => runFaults(run, { made: true }))).toEqual([]);
    return all.sort((left, right) => ((left.dotted_order ?? "") < (right.dotted_order ?? "") ? -1 : 1));
  };
  const names = async () =>
    (await runs()).map(
      ({ dotted_order: order = "", name }) => `${"  ".repeat((order ?? "").split(".").length - 1)}${name ?? ""}`,
    );
  return { server, sender, tracer, runs, names };
}
const withWorld = testWith(world);

withWorld("a missing option is an error at once", async ({ tracer, sender: ingest }) => {
  const make = (kind: typeof RunIngest | typeof Tracer, ...given: unknown[]) => {
    return () => Reflect.construct(kind, given) as unknown;
  };
  expect(make(Tracer)).toThrow("Tracer: the first argument must be an object.");
  expect(make(Tracer, { ingest })).toThrow("Tracer: `clock` is missing.");
  expect(make(RunIngest, {})).toThrow("RunIngest: `tracing` is missing; `clock` is missing.");
  const session = { session_name: "tests" };
  const wrong = { ingest, clock: systemClock, session, samplingRate: 50 };
  expect(make(Tracer, wrong)).toThrow("Tracer: `samplingRate` must be 1 or less.");
  const traced = Reflect.apply(tracer.trace, tracer, ["ask"]) as Promise<unknown>;
  await expect(traced).rejects.toMatchObject({ code: "ARGUMENTS" });
});

describe("an invalid project", () => {
  const id = "0195a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

  test.each<[string, unknown]>([
    ["a text", "support-agent"],
    ["nothing", undefined],
    ["an empty object", {}],
    ["another spelling of the field", { sessionName: "support-agent" }],
    ["an empty name", { session_name: " " }],
    ["an empty id", { session_id: "" }],
  ])("is refused as %s", async (_what, session) => {
    await expect(world({ session } as Partial<TracerOptions>)).rejects.toMatchObject({ code: "TRACER_SESSION" });
  });

  test.each([
    { session_name: "support-agent" },
    { session_id: "a name" },
    { session_id: id },
    { session_name: "support-agent", session_id: id },
  ])("is not %o, which is sent as it stands", async (session) => {
    const { tracer, runs } = await world({ session });
    await tracer.trace("ask", () => 1);
    expect(await runs()).toMatchObject([session]);
  });

  test("is not an id that only some services reject, of which the tracer warns once", async () => {
    const warnings: string[] = [];
    const { tracer, runs } = await world({
      session: { session_id: "a name" },
      onWarning: (message) => warnings.push(message),
    });
    for (const name of ["one", "two"]) await tracer.trace(name, () => 1);
    expect(await runs()).toHaveLength(2);
    expect(warnings).toHaveLength(1);
  });

  withWorld("is rejected by a run, which belongs to the project of its tracer", async ({ tracer, runs }) => {
    const options = { session_name: "another" };
    const refusal = { code: "TRACER_SESSION" };
    await expect(tracer.trace("ask", options as object, () => 1)).rejects.toMatchObject(refusal);
    await tracer.trace("root", (run) => {
      expect(() => run.child("ask", options as object)).toThrow(expect.objectContaining(refusal));
    });
    expect(await runs()).toMatchObject([{ name: "root", session_name: "tests" }]);
  });
});

describe("traced work", () => {
  withWorld("is a run with inputs, outputs and times", async ({ tracer, runs }) => {
    const options = { runType: "llm", inputs: { q: 1 }, metadata: { model: "m" }, tags: ["t"] } as const;
    expect(await tracer.trace("ask", options, () => ({ a: 2 }))).toEqual({ a: 2 });
    expect(await runs()).toMatchObject([
      {
        name: "ask",
        run_type: "llm",
        session_name: "tests",
        inputs: { q: 1 },
        outputs: { a: 2 },
        extra: { metadata: { model: "m" } },
        tags: ["t"],
        start_time: expect.stringMatching(/^\d{4}-.*Z$/),
        end_time: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
  });

  withWorld("nests as it is called, even concurrently", async ({ tracer, names }) => {
    await tracer.trace("root", async () => {
      await Promise.all(
        ["a", "b"].map((name) =>
          tracer.trace(name, async () => {
            await sleep(5);
            await tracer.trace(`${name}.1`, () => sleep(5));
            await tracer.trace(`${name}.2`, () => undefined);
          }),
        ),
      );
    });
    await tracer.trace("another root", () => undefined);
    expect(await names()).toEqual(["root", "  a", "    a.1", "    a.2", "  b", "    b.1", "    b.2", "another root"]);
  });

  withWorld("that fails is a run with its error, which is rethrown", async ({ tracer, runs }) => {
    const failing = tracer.trace("fails", () => Promise.reject(new TypeError("no such thing")));
    await expect(failing).rejects.toThrow("no such thing");
    expect(await runs()).toMatchObject([{ name: "fails", error: "TypeError: no such thing" }]);
  });

  withWorld("may end its run itself and begin others by hand", async ({ tracer, runs, names }) => {
    await tracer.trace("root", async (run) => {
      const child = run.child("child", { inputs: "text" });
      child.event("first token", { index: 0 });
      await child.end([1, 2]);
      await child.end("too late");
      await run.end({ own: true });
      return "not recorded";
    });
    expect(await names()).toEqual(["root", "  child"]);
    const [root, child] = await runs();
    expect(root).toMatchObject({ outputs: { own: true } });
    expect(child).toMatchObject({
      inputs: { input: "text" },
      outputs: { output: [1, 2] },
      events: [{ name: "first token", index: 0 }],
    });
  });

  withWorld("is not disturbed by values that cannot be read", async ({ tracer, runs }) => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const bare: unknown = Object.create(null);
    const options = { inputs: proxy, startTime: new Date(Number.NaN) };
    const thrown: unknown = await tracer
      .trace("throws", options, () => {
        throw bare;
      })
      .catch((error: unknown) => error);
    expect(thrown).toBe(bare);
    expect(await runs()).toMatchObject([{ name: "throws", inputs: { input: "[Unreadable]" }, error: "{}" }]);
  });

  withWorld("may end after `close` without an unhandled rejection", async ({ server, sender, tracer }) => {
    const run = tracer.start("late");
    await sender.close();
    // A promise that nobody looks after would end the process.
    void run.end();
    await expect(run.end()).rejects.toMatchObject({ code: "TRACING_CLOSED" });
    expect(server.runs.size).toBe(1);
  });

  withWorld("has a name that the service accepts", async ({ tracer, runs }) => {
    await tracer.trace("x".repeat(500), () => undefined);
    await tracer.trace("", () => undefined);
    const [long, empty] = await runs();
    expect(long?.name?.length).toBeLessThanOrEqual(128);
    expect(empty?.name).toBe("unnamed");
  });

  withWorld("continues when nothing can be sent", async ({ server, tracer }) => {
    server.script = () => ({ status: 401 });
    expect(await tracer.trace("work", () => 1)).toBe(1);
    expect(await tracer.flush()).toMatchObject({ stored: 0, unsent: 1 });
  });
});

describe("redaction and sampling", () => {
  test("replaces inputs, outputs and errors", async () => {
    const redact = {
      inputs: () => ({ hidden: true }),
      outputs: () => {
        throw new Error("a bug in the redaction");
      },
      errors: (text: string) => text.replace("hunter2", "***"),
    };
    const { tracer, runs } = await world({ redact });
    await tracer.trace("a", { inputs: { password: "hunter2" } }, () => "hunter2");
    await tracer.trace("b", () => Promise.reject(new Error("hunter2"))).catch(() => undefined);
    const all = await runs();
    expect(JSON.stringify(all)).not.toContain("hunter2");
    expect(all).toMatchObject([
      { inputs: { hidden: true }, outputs: { output: "[withheld: the redaction failed]" } },
      { error: "Error: ***" },
    ]);
  });

  test("wraps a text in an object", async () => {
    const { tracer, runs } = await world({ redact: { inputs: () => "[hidden]", outputs: () => undefined } });
    await tracer.trace("a", { inputs: { password: "hunter2" } }, () => ({ password: "hunter2" }));
    const [run] = await runs();
    expect(run?.inputs).toEqual({ input: "[hidden]" });
    expect(run).not.toHaveProperty("outputs");
  });

  test("samples whole traces", async () => {
    const { tracer, runs } = await world({ samplingRate: 0.5 });
    for (let index = 0; index < 200; index += 1) {
      await tracer.trace("root", async () => {
        await tracer.trace("child", () => undefined);
      });
    }
    const all = await runs();
    const roots = all.filter(({ parent_run_id: parent }) => parent == null);
    expect(all).toHaveLength(2 * roots.length);
    expect(roots.length).toBeGreaterThan(60);
    expect(roots.length).toBeLessThan(140);
  });
});

describe("a trace over two processes", () => {
  withWorld("is one: the caller's run is the parent, even if its clock is ahead", async (here) => {
    const ahead = { now: () => performance.now(), date: () => new Date(Date.now() + 60_000) };
    const caller = new Tracer({ ingest: ingest(here.server.url), clock: ahead, session: { session_name: "tests" } });
    await caller.trace("caller", async (run) => {
      await here.tracer.trace("callee", { headers: new Headers(run.headers()) }, () => undefined);
    });
    await caller.flush();
    expect(await here.names()).toEqual(["caller", "  callee"]);
  });

  withWorld("that another system began is continued, with a new root here", async ({ tracer, runs }) => {
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, baggage: "user=1" };
    const handedOn = await tracer.trace("here", { headers }, (run) => run.headers()["traceparent"]);
    expect(handedOn).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(await runs()).toHaveLength(1);
  });

  withWorld("is not sent when the caller does not send it", async ({ server, tracer }) => {
    const headers = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00" };
    const handedOn = await tracer.trace("here", { headers }, (run) => run.headers());
    expect(handedOn["traceparent"]).toMatch(/-00$/);
    expect(handedOn["baggage"]).toBeUndefined();
    await tracer.flush();
    expect(server.requests).toEqual([]);
  });

  test.each([
    ["in a year that has no digits here", (id: string) => `99991231T235959999999Z${id}`],
    ["before its own parent", (id: string) => `20260102T000000000000Z${id}.20260101T000000000000Z${id}`],
  ])("begins here when the caller says that it is %s", async (_, orderOf) => {
    const { tracer, runs } = await world();
    const id = "01a20035-df88-793b-a217-385d280ca039";
    const headers = {
      traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-${id.replaceAll("-", "").slice(-16)}-01`,
      baggage: `graph-dotted-order=${orderOf(id)}`,
    };
    await tracer.trace("callee", { headers }, () => undefined);
    const [run] = await runs();
    expect(run).toMatchObject({ trace_id: run?.id });
  });

  withWorld("ignores the baggage of another caller", async ({ tracer, runs }) => {
    const headers = await tracer.trace("caller", (run) => run.headers());
    const between = { ...headers, traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
    await tracer.trace("callee", { headers: between }, () => undefined);
    expect((await runs()).map(({ dotted_order: order }) => parseDottedOrder(order ?? "")?.length)).toEqual([1, 1]);
  });
});
