import { describe, expect, test } from "vitest";
import { connectTracing } from "../../src/connection.ts";
import { uploadExperiment } from "../../src/upload-experiment.ts";
import type { RejectedRun, UnsentRuns } from "../../src/tracing/ingest/run-ledger.ts";
import { FastClock } from "../wire/clocks.ts";
import { ECHOES, expectNothingPrivate, PRIVATE } from "../wire/echoes.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import type { WireAnswer } from "../wire/faults.ts";
import { textsOf } from "../wire/texts-of.ts";
import { traceRig } from "../trace-files/rig.ts";
import { linesOf, run } from "../trace-files/read-files.ts";
import { aRun, ingest } from "../tracing/rig.ts";

const { input, output, short, number } = PRIVATE;

/** A service that answers all writes in the same way, and has nothing to read. */
async function refusing(answer: WireAnswer) {
  return await startFaultServer(({ method }) =>
    method === "GET" ? { status: 404, body: { detail: "Not Found" } } : answer,
  );
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => new Error("there was none"),
    (thrown: unknown) => thrown,
  );
  return error instanceof Error ? error : new Error(String(error));
}

async function refusedUpload(url: string): Promise<Error> {
  const rows = [
    {
      inputs: { question: input, weight: number },
      outputs: { answer: output, name: short },
      scores: { exact: 1 },
    },
  ];
  const settings = { datasetName: "qa-set", experimentName: "nightly", rows, timeoutMilliseconds: 5_000 };
  return await errorOf(uploadExperiment(settings, { url }));
}

const RUN = { inputs: { question: input, weight: number }, outputs: { answer: output, name: short } };

describe("the error of an upload of results repeats nothing of them", () => {
  test.each(ECHOES.flatMap(([name, body]) => [400, 422].map((status) => [name, status, body] as const)))(
    "%s with %i",
    async (_, status, body) => {
      const { url } = await refusing({ ...body, status });
      const error = await refusedUpload(url);
      expect(error.message).toContain('"nightly"');
      expectNothingPrivate(textsOf(error).join("\n"));
    },
  );

  test.each([
    ["a page", { headers: { "content-type": "text/html" }, body: `<title>Denied: ${input}</title>` }, "a web page"],
    ["an error", { body: { error: `quota exceeded for ${input}` } }, "an error, quota exceeded for …"],
  ])("%s in a success", async (_, body, shown) => {
    const { url } = await refusing({ status: 200, ...body });
    const error = await refusedUpload(url);
    expect(error.message).toContain(shown);
    expectNothingPrivate(textsOf(error).join("\n"));
  });

  test.each([
    [403, { detail: "quota exceeded for this workspace" }, "returned 403: quota exceeded for this workspace."],
    [
      422,
      {
        detail: [{ loc: ["body", "results", 0, "start_time"], msg: `must fall between 1 and 2, ${input}`, type: "x" }],
      },
      "start_time: must fall between 1 and 2, … (422).",
    ],
    [
      422,
      {
        detail: [
          {
            loc: ["body", "results", 3, "evaluation_scores", 0, "feedback_config", "type"],
            msg: "Input should be 'continuous', 'categorical' or 'freeform'",
            type: "enum",
          },
        ],
      },
      "feedback_config.type: Input should be 'continuous', 'categorical' or 'freeform' (422).",
    ],
    [
      422,
      { detail: [{ loc: ["body", "results", 0, "inputs", "question"], msg: "Field required", type: "missing" }] },
      "inputs.question: Field required (422).",
    ],
    [400, { detail: 'no dataset "qa-set" for nightly' }, 'returned 400: no dataset "qa-set" for nightly.'],
  ])("the reason of the service stays: %i", async (status, body, shown) => {
    const { url } = await refusing({ status, body });
    expect((await refusedUpload(url)).message).toContain(shown);
  });
});

describe("the error of runs repeats nothing of them", () => {
  test.each(ECHOES)("of one run: %s", async (_, body) => {
    const { url } = await refusing({ ...body, status: 422 });
    await using connection = connectTracing({ url });
    const create = await errorOf(connection.tracing.createRun(aRun(RUN)));
    const update = await errorOf(connection.tracing.updateRun(aRun().id, RUN));
    for (const error of [create, update]) {
      expect(error.message).toContain("returned 422");
      expectNothingPrivate(textsOf(error).join("\n"));
    }
  });

  test.each(ECHOES)("of a rejected run of a batch: %s", async (_, body) => {
    const { url } = await refusing({ ...body, status: 422 });
    const rejected: RejectedRun[] = [];
    const sender = ingest(url, { clock: new FastClock(), onRejected: (one) => rejected.push(one) });
    for (const one of [aRun(RUN), aRun(RUN)]) void sender.post(one);
    expect(await sender.flush()).toMatchObject({ rejected: 2 });
    expect(rejected).toHaveLength(2);
    for (const { reason } of rejected) expectNothingPrivate(reason);
  });

  test.each(ECHOES)("of a batch that cannot be sent: %s", async (_, body) => {
    const { url } = await refusing({ ...body, status: 403 });
    const unsent: UnsentRuns[] = [];
    const sender = ingest(url, { clock: new FastClock(), onUnsent: (some) => unsent.push(some) });
    void sender.post(aRun(RUN));
    expect(await sender.flush()).toMatchObject({ unsent: 1 });
    expect(unsent).toHaveLength(1);
    expectNothingPrivate(textsOf(unsent[0]?.error).join("\n"));
  });

  test.each(ECHOES)("of an upload of files: %s", async (_, body) => {
    const { url } = await refusing({ ...body, status: 422 });
    const { write, upload, events } = await traceRig(url);
    await write({ "a.jsonl": linesOf([run(1, RUN), run(2, RUN)]) });
    const error = await errorOf(upload());
    expect(error.message).toContain("0 of 2 runs are stored");
    expectNothingPrivate(textsOf(error).join("\n"));
    expect(events.filter(({ type }) => type === "refused")).toHaveLength(2);
    expectNothingPrivate(events.flatMap((event) => (event.type === "refused" ? [event.run.reason] : [])).join("\n"));
  });

  test("also where the batch was compressed, and the reason of the service and the id stay", async () => {
    const one = aRun(RUN);
    const front = await startFaultServer(({ path }) =>
      path === "/info"
        ? { status: 200, body: { instance_flags: { gzip_body_enabled: true } } }
        : { status: 422, body: { detail: `run ${one.id}: dotted_order is missing in ${input}` } },
    );
    const rejected: RejectedRun[] = [];
    const sender = ingest(front.url, { clock: new FastClock(), onRejected: (each) => rejected.push(each) });
    void sender.post(one);
    await sender.flush();
    expect(front.requests.at(-1)?.headers).toMatchObject({ "content-encoding": "gzip" });
    expect(rejected).toEqual([{ event: "post", id: one.id, reason: `run ${one.id}: dotted_order is missing in …` }]);
  });
});
