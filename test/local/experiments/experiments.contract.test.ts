import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { ExperimentUploadAnswer } from "../../../src/contract/experiment-answer.ts";
import { withFolder, withService, UNKNOWN_ID, call, places, start } from "../caller.ts";
import { datasetsOf, ROW_IDS, UPLOAD, experiment, get, listed, post, row, uploaded } from "../experiment-caller.ts";

/** The rows of uploads that became no experiment. */
function cutUploads(file: string, change = "") {
  const database = new DatabaseSync(file);
  database.exec(change);
  const rows = database.prepare("SELECT upload FROM experiment_rows WHERE upload = 99").all();
  database.close();
  return rows;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe("the answer to an upload", () => {
  withService("has each field of the contract of the API, with statistics that are null", async (service) => {
    const reply = await post(service, experiment({ experiment_metadata: { commit: "abc" } }));
    expect(reply.status, reply.text).toBe(200);
    expect(ExperimentUploadAnswer.safeParse(reply.json).success).toBe(true);
    const uuid = expect.stringMatching(UUID);
    const time = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);
    expect(reply.json).toEqual({
      dataset: {
        id: uuid,
        name: "questions",
        description: null,
        created_at: time,
        modified_at: time,
        data_type: "kv",
        inputs_schema_definition: null,
        outputs_schema_definition: null,
        externally_managed: true,
        tenant_id: uuid,
        example_count: 2,
        session_count: 1,
        last_session_start_time: "2026-03-04T05:00:00Z",
      },
      experiment: {
        id: uuid,
        name: "first",
        description: null,
        start_time: "2026-03-04T05:00:00Z",
        end_time: "2026-03-04T06:00:00Z",
        extra: { metadata: { commit: "abc" } },
        default_dataset_id: null,
        reference_dataset_id: uuid,
        trace_tier: "longlived",
        tenant_id: uuid,
        test_run_number: 1,
        ...Object.fromEntries(
          [
            ...["run_count", "latency_p50", "latency_p99", "first_token_p50", "first_token_p99", "total_tokens"],
            ...["prompt_tokens", "completion_tokens", "total_cost", "prompt_cost", "completion_cost"],
            ...["last_run_start_time", "last_run_start_time_live", "feedback_stats", "session_feedback_stats"],
            ...["run_facets", "error_rate", "streaming_rate"],
          ].map((name) => [name, null]),
        ),
      },
    });
  });

  withService("is the same under the prefix of the hosted address", async (service) => {
    const reply = await call(service.url, "POST", `/api/v1${UPLOAD}`, { json: experiment() });
    expect(reply).toMatchObject({ status: 200, json: { experiment: { name: "first" } } });
    expect((await get(service, "/api/v1/datasets")).json).toEqual((await get(service, "/datasets")).json);
  });

  withService("counts the experiments of each dataset by itself", async (service) => {
    await uploaded(service);
    expect(await uploaded(service, { experiment_name: "second" })).toMatchObject({
      experiment: { test_run_number: 2 },
      dataset: { session_count: 2, example_count: 2 },
    });
    const third = { experiment_name: "third", dataset_name: "others", results: [row(3)] };
    expect(await uploaded(service, third)).toMatchObject({
      experiment: { test_run_number: 1 },
      dataset: { session_count: 1, example_count: 1 },
    });
  });
});

describe("the statistics", () => {
  test("come out after the delay, and are worked out from the rows", { tags: "slow" }, async () => {
    const service = await start({ experimentDelayMilliseconds: 1_500 });
    const { experiment: made } = await uploaded(service, {
      results: [
        row(1, { end_time: "2026-03-04T05:10:01Z", evaluation_scores: [{ key: "accuracy", score: 1 }] }),
        row(2, {
          end_time: "2026-03-04T05:10:03Z",
          evaluation_scores: [{ key: "accuracy", score: 0, value: "wrong" }],
        }),
        row(3, {
          start_time: "2026-03-04T05:20:00.000250Z",
          end_time: "2026-03-04T05:20:00.500250Z",
          error: "it broke",
          evaluation_scores: [{ key: "tone", value: "kind" }],
        }),
        row(4, { end_time: "2026-03-04T05:10:02Z", evaluation_scores: undefined, error: "" }),
      ],
      summary_experiment_scores: [{ key: "f1", score: 0.75 }],
    });
    expect(made).toMatchObject({ run_count: null, error_rate: null });
    const read = async () => (await get(service, `/experiments/${made.id}`)).json;
    await expect.poll(read).toMatchObject({
      run_count: 4,
      latency_p50: 1.5,
      latency_p99: expect.closeTo(2.97, 10),
      error_rate: 0.25,
      streaming_rate: 0,
      last_run_start_time: "2026-03-04T05:20:00.000250Z",
      feedback_stats: {
        accuracy: { n: 2, avg: 0.5, values: { wrong: 1 } },
        tone: { n: 1, avg: null, values: { kind: 1 } },
      },
      session_feedback_stats: { f1: { n: 1, avg: 0.75, values: {} } },
      total_tokens: null,
      total_cost: null,
    });
  });

  test("have a key and a value of any name", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    const scores = ["__proto__", "constructor"].map((key) => ({ key, score: 0.5, value: "__proto__" }));
    const { experiment: made } = await uploaded(service, { results: [row(1, { evaluation_scores: scores })] });
    const stats = JSON.stringify(made["feedback_stats"]);
    const each = '{"n":1,"scored":1,"avg":0.5,"values":{"__proto__":1}}';
    expect(stats).toBe(`{"__proto__":${each},"constructor":${each}}`);
  });

  test("of an experiment without rows are nothing, and no division by it", async () => {
    const service = await start({ experimentDelayMilliseconds: 0 });
    expect((await uploaded(service, { results: [] })).experiment).toMatchObject({
      run_count: 0,
      latency_p50: null,
      latency_p99: null,
      error_rate: null,
      last_run_start_time: null,
      feedback_stats: {},
    });
  });
});

describe("a dataset", () => {
  withService("that is named only gets an id, and is found by either from then on", async (service) => {
    const { dataset } = await uploaded(service);
    const again = await uploaded(service, {
      experiment_name: "second",
      dataset_name: undefined,
      dataset_id: dataset.id,
    });
    expect(again.dataset).toMatchObject({ id: dataset.id, name: "questions" });
    const both = { experiment_name: "third", dataset_id: dataset.id.toUpperCase() };
    expect((await uploaded(service, both)).dataset.id).toBe(dataset.id);
  });

  withService("that has an id only gets a name", async (service) => {
    const { dataset } = await uploaded(service, { dataset_name: undefined, dataset_id: UNKNOWN_ID });
    expect(dataset.id).toBe(UNKNOWN_ID);
    expect(dataset.name).not.toBe("");
    const again = await uploaded(service, { experiment_name: "second", dataset_name: dataset.name });
    expect(again.dataset.id).toBe(UNKNOWN_ID);
  });

  withService("that was not created by an upload takes none, by its name or by its id", async (service) => {
    const { id } = service.addManagedDataset("questions");
    for (const [field, value] of [
      ["dataset_name", "questions"],
      ["dataset_id", id],
    ] as const) {
      const reply = await post(service, experiment({ dataset_name: undefined, [field]: value }));
      expect(reply.json).toEqual({
        detail: [
          {
            loc: ["body", field],
            msg: "was not created by an upload; only externally managed datasets accept experiments",
            type: "value_error",
          },
        ],
      });
      expect(reply.status).toBe(422);
    }
    expect((await listed(service, `/datasets/${id}/experiments`)).resources).toEqual([]);
    expect((await get(service, `/datasets/${id}`)).json).toMatchObject({ externally_managed: false, session_count: 0 });
  });

  withService("is not guessed when the id and the name mean two of them", async (service) => {
    const { dataset } = await uploaded(service);
    for (const pair of [{ dataset_id: dataset.id, dataset_name: "others" }, { dataset_id: UNKNOWN_ID }]) {
      const reply = await post(service, experiment({ experiment_name: "second", ...pair }));
      expect(reply).toMatchObject({ status: 422, json: { detail: [{ loc: ["body", "dataset_name"] }] } });
    }
  });
});

describe("the name of an experiment", () => {
  withService("is taken for all datasets: 409, and nothing has changed", async (service) => {
    const { dataset } = await uploaded(service);
    const reply = await post(service, experiment({ dataset_name: "others" }));
    expect(reply).toMatchObject({ status: 409, json: { detail: "Session already exists." } });
    expect((await datasetsOf(service)).map(({ id }) => id)).toEqual([dataset.id]);
  });

  withService("is free again after a refusal", async (service) => {
    expect((await post(service, experiment({ results: [row(1), row(2, { inputs: 7 })] }))).status).toBe(422);
    const { experiment: made } = await uploaded(service);
    expect((await listed(service, `/experiments/${made.id}/rows`)).resources).toHaveLength(2);
  });
});

describe("what was stored", () => {
  withService("is read back as it was sent, page by page", async (service) => {
    const body = JSON.stringify(experiment()).replace('"question 1"', '12345678901234567890.10, "__proto__" : {}');
    const reply = await post(service, undefined, { body, headers: { "content-type": "application/json" } });
    const { id } = ExperimentUploadAnswer.parse(reply.json).experiment;
    const first = await get(service, `/experiments/${id}/rows?limit=1`);
    expect(first.text).toContain('{"question":12345678901234567890.10, "__proto__" : {}}');
    expect(first.json).toMatchObject({ offset: 1, total: 2, resources: [{ row_id: ROW_IDS[0] }] });
    const second = await listed(service, `/experiments/${id}/rows?offset=1`);
    expect(second).toMatchObject({ offset: 2, resources: [row(2)] });
  });

  withService("is found from the datasets on", async (service) => {
    const { dataset, experiment: made } = await uploaded(service);
    const second = await uploaded(service, { experiment_name: "second" });
    expect(await datasetsOf(service)).toMatchObject([{ id: dataset.id, session_count: 2 }]);
    const experiments = await listed(service, `/datasets/${dataset.id}/experiments`);
    expect(experiments.resources.map(({ id }) => id)).toEqual([second.experiment.id, made.id]);
    for (const path of [
      `/datasets/${UNKNOWN_ID}`,
      `/datasets/${UNKNOWN_ID}/experiments`,
      `/experiments/${UNKNOWN_ID}`,
    ]) {
      const noun = path.startsWith("/datasets") ? "Dataset" : "Experiment";
      expect(await get(service, path)).toMatchObject({
        status: 404,
        json: { detail: `${noun} ID ${UNKNOWN_ID} not found.` },
      });
    }
  });

  withFolder("is there after a restart, and rows of an upload that was cut are not", async (dataDirectory) => {
    const first = await start({ dataDirectory, experimentDelayMilliseconds: 0 });
    const { dataset, experiment: made } = await uploaded(first);
    const paths = ["/datasets", `/datasets/${dataset.id}/experiments`, `/experiments/${made.id}/rows`];
    const read = async (service: typeof first) =>
      Promise.all(paths.map(async (path) => (await get(service, path)).json));
    const before = await read(first);
    await first.close();
    const state = join(dataDirectory, "state.sqlite");
    cutUploads(state, "INSERT INTO experiment_rows VALUES (NULL, 99, 0, 'x', 0, 0, 0, '{}')");

    const second = await start({ dataDirectory, experimentDelayMilliseconds: 0 });
    expect(await read(second)).toEqual(before);
    expect((await post(second, experiment())).status).toBe(409);
    expect(await uploaded(second, { experiment_name: "second" })).toMatchObject({ experiment: { test_run_number: 2 } });
    await second.close();
    expect(cutUploads(state)).toEqual([]);
  });
});

describe("the list of datasets", () => {
  /** A service with three datasets, and the names that a query chooses of them. */
  async function begin() {
    const service = await start();
    const made = [];
    for (const name of ["one", "two", "three"]) {
      made.push((await uploaded(service, { experiment_name: name, dataset_name: `${name} set` })).dataset);
    }
    const list = async (query: string) => {
      const reply = await get(service, `/api/v1/datasets${query}`);
      expect(reply.status, reply.text).toBe(200);
      return {
        names: (reply.json as { name: string }[]).map(({ name }) => name),
        total: reply.headers["x-pagination-total"],
      };
    };
    return { service, list, ids: made.map(({ id }) => id) };
  }

  test.each([
    ["", ["three set", "two set", "one set"], "3"],
    ["?limit=2", ["three set", "two set"], "3"],
    ["?limit=2&offset=2", ["one set"], "3"],
    ["?limit=2&offset=3", [], "3"],
    ["?limit=1&name=two%20set", ["two set"], "1"],
    ["?name=two", [], "0"],
    ["?name=", [], "0"],
    ["?name_contains=T", ["three set", "two set", "one set"], "3"],
    ["?name_contains=TW", ["two set"], "1"],
    ["?name_contains=%25", [], "0"],
    ["?name_contains=", ["three set", "two set", "one set"], "3"],
    [`?id=${UNKNOWN_ID}`, [], "0"],
    ["?data_type=kv&limit=1", ["three set"], "3"],
    ["?data_type=chat", [], "0"],
  ])("is what public clients read, and chosen by %s", async (query, names, total) => {
    const { list } = await begin();
    expect(await list(query)).toEqual({ names, total });
  });

  test("is chosen by ids, in upper case too", async () => {
    const { list, ids } = await begin();
    const query = `?id=${String(ids[0]?.toUpperCase())}&id=${String(ids[2])}`;
    expect(await list(query)).toEqual({ names: ["three set", "one set"], total: "2" });
  });

  test.each(["metadata=%7B%7D", "tag_value_id=x", "filter=", "limit=0", "limit=1001", "offset=-1"])(
    "is not given for a filter that the service does not have, or a wrong page: %s",
    async (query) => {
      const { service } = await begin();
      const reply = await get(service, `/datasets?${query}`);
      expect([reply.status, places(reply)]).toEqual([422, [`query.${query.split("=")[0] ?? ""}`]]);
    },
  );
});

test("who may upload needs the key, and the tenant where the service has one", async () => {
  const tenantId = "11111111-1111-4111-8111-111111111111";
  const service = await start({ apiKey: "key-1", tenantId });
  const statuses = [];
  for (const headers of [
    {},
    { "x-api-key": "key-2" },
    { "x-api-key": "key-1" },
    { "x-api-key": "key-1", "x-tenant-id": tenantId },
  ]) {
    statuses.push((await post(service, experiment(), { headers })).status);
  }
  expect(statuses).toEqual([401, 401, 403, 200]);
  expect((await get(service, "/datasets")).status).toBe(401);
});
