import { Readable } from "node:stream";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { describeErrorBody } from "../../../src/contract/validation-error.ts";
import { experimentTooLarge, type LocalService } from "../../../src/local/index.ts";
import { withService, call, places, start } from "../caller.ts";
import { UPLOAD, datasetsOf, experiment, get, post, row, uploaded } from "../experiment-caller.ts";

const JSON_TYPE = { "content-type": "application/json" };
const BETWEEN =
  "must fall between experiment_start_time (2026-03-04T05:00:00Z) and experiment_end_time (2026-03-04T06:00:00Z)";

async function nothingIsThere(service: LocalService): Promise<void> {
  expect(await datasetsOf(service)).toEqual([]);
}

describe("an upload that breaks a rule", () => {
  test.each([
    [{ dataset_name: undefined }, "dataset_name: either dataset_id or dataset_name must be given"],
    [{ experiment_name: undefined }, "experiment_name: Field required"],
    [{ experiment_end_time: "soon" }, "experiment_end_time: Input should be a valid datetime"],
    [
      { experiment_end_time: "2026-03-04T04:00:00Z", results: [] },
      "experiment_end_time: is before experiment_start_time",
    ],
    [{ results: undefined }, "results: Field required"],
    [{ results: { row: 1 } }, "results: Input should be a valid list"],
    [{ results: [7] }, "results.0: Input should be a valid dictionary"],
    [{ results: [row(1), row(2, { row_id: "2" })] }, "results.1.row_id: Input should be a valid UUID"],
    [{ results: [row(1, { inputs: "text" })] }, "results.0.inputs: Input should be a valid dictionary"],
    [{ results: [row(1), row(2, { start_time: "2026-03-04T04:59:59.999999Z" })] }, `results.1.start_time: ${BETWEEN}`],
    [{ results: [row(1, { end_time: "2026-03-04T08:00:00.000001+02:00" })] }, `results.0.end_time: ${BETWEEN}`],
    [{ results: [row(1, { score: 1 })] }, "results.0.score: Extra inputs are not permitted"],
    [{ name: "x" }, "name: Extra inputs are not permitted"],
    [{ experiment_description: null }, "experiment_description: Input should be a valid string"],
    [
      { results: [row(1, { evaluation_scores: [{ key: "a", feedback_config: { type: "freeform", kind: 1 } }] })] },
      "results.0.evaluation_scores.0.feedback_config.kind: Extra inputs are not permitted",
    ],
  ])("%j is refused: %s", async (change, sentence) => {
    const service = await start();
    const reply = await post(service, experiment(change));
    expect([reply.status, describeErrorBody(reply.json)]).toEqual([422, [sentence]]);
    await nothingIsThere(service);
  });

  withService("gets all errors at once, in the form of the service", async (service) => {
    const reply = await post(
      service,
      experiment({
        experiment_name: 7,
        results: [row(1, { row_id: "x", inputs: [] }), row(2), row(3, { end_time: undefined })],
      }),
    );
    expect(reply.status).toBe(422);
    expect(places(reply)).toEqual([
      "body.results.0.row_id",
      "body.results.0.inputs",
      "body.results.2.end_time",
      "body.experiment_name",
    ]);
    expect(reply.text).not.toContain("question");
  });

  test.each([
    ["of another shape", { inputs: 7 }],
    ["outside of the window", { start_time: "2026-01-01T00:00:00Z" }],
    ["with more errors than that each", { evaluation_scores: Array.from({ length: 500 }, () => 7) }],
  ])("is refused at its first hundred errors: rows %s", async (_, change) => {
    const service = await start();
    const results = Array.from({ length: 1_500 }, () => row(1, change));
    const reply = await post(service, experiment({ results }));
    const { detail } = z.object({ detail: z.array(z.looseObject({ type: z.string() })) }).parse(reply.json);
    expect(detail).toHaveLength(101);
    expect(detail.at(-1)?.type).toBe("too_many_errors");
    await nothingIsThere(service);
  });

  withService("is read no further than to its first hundred errors", { tags: "slow" }, async (service) => {
    const results = Array.from({ length: 50_000 }, () => row(1, { inputs: 7 }));
    const json = experiment({ results });
    expect((await post(service, json)).status).toBe(422);
    // What the socket had handed over by then may be a few chunks of 64 KiB.
    expect(service.requests.at(-1)?.bodyBytes).toBeLessThan(JSON.stringify(json).length / 10);
  });

  test("is accepted in the compatible mode when public clients send it", async () => {
    const service = await start({ compat: true, experimentDelayMilliseconds: 0 });
    const scores = [{ key: "ok", score: true, value: null, comment: null, feedback_config: null, id: "x" }];
    const nulls = { experiment_description: null, dataset_id: null, summary_experiment_scores: null, more: 1 };
    const made = await uploaded(service, {
      ...nulls,
      results: [row(1, { error: null, run_metadata: null, evaluation_scores: scores })],
    });
    expect(made.experiment).toMatchObject({ error_rate: 0, feedback_stats: { ok: { n: 1, avg: 1 } } });
  });
});

describe.each([{}, { compat: true }])("a row that ends before it starts: %j", (options) => {
  const [start_time, end_time] = ["2026-03-04T05:10:00.000001Z", "2026-03-04T05:10:00Z"];

  test("is refused, in one answer with all other errors", async () => {
    const service = await start(options);
    const outside = { start_time: "2026-03-04T05:10:00Z", end_time: "2026-03-04T04:00:00Z" };
    const reply = await post(
      service,
      experiment({ results: [row(1, { start_time, end_time }), row(2), row(3, outside)] }),
    );
    expect(reply.status).toBe(422);
    expect((reply.json as { detail: readonly unknown[] }).detail).toMatchObject([
      { loc: ["body", "results", 0, "end_time"], msg: "is before start_time", type: "value_error" },
      { loc: ["body", "results", 2, "end_time"], msg: "is before start_time" },
      { loc: ["body", "results", 2, "end_time"], msg: expect.stringContaining("must fall between") },
    ]);
    await nothingIsThere(service);
  });

  test("is taken when it ends as it starts, in another zone, too", async () => {
    const service = await start(options);
    const zoned = { start_time: "2026-03-04T07:10:00+02:00", end_time: "2026-03-04T05:10:00Z" };
    const results = [row(1, { start_time, end_time: start_time }), row(2, zoned)];
    expect((await post(service, experiment({ results }))).status).toBe(200);
  });
});

describe("a body that is not JSON", () => {
  test.each([
    ["", "body"],
    ["nonsense", "body"],
    ['{"results":[]', "body"],
    ['{"results":[{}', "body"],
    ['{"results":[{}}', "body"],
    ['{"results":[{},]}', "body.results.1"],
    ['{"results":[,{}]}', "body.results.0"],
    ['{"results":[{} {}]}', "body.results.0"],
    ['{"results":[{"a":NaN}]}', "body.results.0"],
    ['{"results":[],"results":[]}', "body.results"],
    ['{"results":[]}{}', "body"],
    ['\ufeff{"results":[]}', "body"],
    ['["results":[]]', "body"],
  ])("%j is refused at %s", async (body, place) => {
    const service = await start();
    const reply = await post(service, undefined, { body: Buffer.from(body), headers: JSON_TYPE });
    expect([reply.status, places(reply)]).toEqual([422, [place]]);
    expect(reply.text).toContain("json_invalid");
    await nothingIsThere(service);
  });

  withService("is rejected if it is not UTF-8, has another type, or is compressed", async (service) => {
    const latin = Buffer.from(JSON.stringify(experiment()).replace("question 1", "caf\u00e9"), "latin1");
    const reply = await post(service, undefined, { body: latin, headers: JSON_TYPE });
    expect(reply).toMatchObject({ status: 422, json: { detail: [{ loc: ["body", "results", 0] }] } });
    const text = JSON.stringify(experiment());
    expect(
      (await call(service.url, "POST", UPLOAD, { body: text, headers: { "content-type": "text/plain" } })).status,
    ).toBe(422);
    const packed = { ...JSON_TYPE, "content-encoding": "gzip" };
    expect((await call(service.url, "POST", UPLOAD, { body: text, headers: packed })).status).toBe(415);
  });

  withService("holds rows under any spelling of their key, in any order", async (service) => {
    const { results, ...head } = experiment();
    const body = `{ "r\\u0065sults" :\n ${JSON.stringify(results)} ,${JSON.stringify(head).slice(1)}`;
    expect((await post(service, undefined, { body, headers: JSON_TYPE })).status).toBe(200);
    const decoy = experiment({ experiment_name: "results", experiment_metadata: { results: [1, 2] } });
    expect(await post(service, decoy)).toMatchObject({ status: 200, json: { dataset: { example_count: 2 } } });
  });

  withService("may be nested deeply where anything goes", async (service) => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const body = JSON.stringify(
      experiment({ experiment_metadata: { x: "DEEP" }, results: [row(1, { inputs: { x: "DEEP" } })] }),
    );
    const reply = await post(service, undefined, { body: body.replaceAll('"DEEP"', deep), headers: JSON_TYPE });
    expect(reply.status, reply.text.slice(0, 200)).toBe(200);
    const id = /"experiment":\{"id":"([^"]+)"/.exec(reply.text)?.[1] ?? "";
    expect((await get(service, `/experiments/${id}/rows`)).text).toContain(deep);
  });
});

describe("an upload that is too large", () => {
  test.each(["with a length", "without one"])(
    "%s is answered 413 although it was sent whole",
    { tags: "slow" },
    async (how) => {
      const service = await start({ experimentLimitBytes: 100_000 });
      const body = Buffer.from(JSON.stringify(experiment({ results: Array.from({ length: 20_000 }, () => row(1)) })));
      expect(body.length).toBeGreaterThan(5_000_000);
      const reply = await request(service.url + UPLOAD, {
        method: "POST",
        headers: JSON_TYPE,
        body: how === "with a length" ? body : Readable.from([body]),
      });
      expect(reply.statusCode).toBe(413);
      expect(await reply.body.json()).toEqual({ detail: "The body is larger than 100000 bytes." });
      await nothingIsThere(service);
      await uploaded(service);
    },
  );

  withService("can be played with the page of a proxy", async (service) => {
    service.faults.add(experimentTooLarge());
    const reply = await post(service, experiment());
    expect(reply).toMatchObject({ status: 413, headers: { "content-type": "text/html" } });
    expect(reply.text).toContain("<title>413 Request Entity Too Large</title>");
    await nothingIsThere(service);
  });
});

describe("a fault", () => {
  withService("after the upload was stored leaves the experiment there", async (service) => {
    service.faults.add({ match: { path: UPLOAD }, do: { kind: "reset", when: "after" } });
    await expect(post(service, experiment())).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await post(service, experiment())).toMatchObject({
      status: 409,
      json: { detail: "Session already exists." },
    });
  });

  withService("edits the answer", async (service) => {
    service.faults.add({ match: { path: UPLOAD }, do: { kind: "edit", edit: () => ({ experiment: {} }) } });
    expect((await post(service, experiment())).json).toEqual({ experiment: {} });
  });

  test("of a client that hangs up leaves nothing, and is not an error of the service", async () => {
    const log: string[] = [];
    const service = await start({ log: (line) => log.push(line) });
    const half = JSON.stringify(experiment()).slice(0, -40);
    async function* hangUp() {
      yield Buffer.from(half);
      await expect.poll(() => service.requests.at(-1)?.bodyBytes).toBe(half.length);
      throw new Error("hung up");
    }
    const body = Readable.from(hangUp());
    await expect(request(service.url + UPLOAD, { method: "POST", headers: JSON_TYPE, body })).rejects.toThrow();
    await nothingIsThere(service);
    await uploaded(service);
    expect(log.filter((line) => line.includes("failed"))).toEqual([]);
  });
});
