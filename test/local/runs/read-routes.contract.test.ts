import { describe, expect, test } from "vitest";
import { withService, call, start, UNKNOWN_ID } from "../caller.ts";
import { experiment, uploaded } from "../experiment-caller.ts";
import { run, traced } from "../run-caller.ts";

/** A service with two experiments of two datasets, and a project of traces. */
async function begin() {
  const service = await start();
  const first = await uploaded(
    service,
    experiment({ experiment_name: "one", experiment_metadata: { upload_mark: "m" } }),
  );
  const second = await uploaded(service, experiment({ experiment_name: "two", dataset_name: "other" }));
  await traced(service, [run(1, { session_name: "a project" })]);
  const list = async (query: string, prefix = "") => {
    const reply = await call(service.url, "GET", `${prefix}/sessions${query}`);
    expect(reply.status, reply.text).toBe(200);
    return {
      names: (reply.json as { name: string }[]).map(({ name }) => name),
      json: reply.json,
      headers: reply.headers,
    };
  };
  return { service, first, second, list };
}

describe("the sessions", () => {
  test("are experiments and projects, as public clients read them: a list, and only experiments with a dataset", async () => {
    const { list, first } = await begin();
    const { names, json, headers } = await list("", "/api/v1");
    expect(names).toEqual(["two", "one", "a project"]);
    expect(headers).toMatchObject({ "x-pagination-total": "3" });
    expect(json).toMatchObject([
      { extra: null, reference_dataset_id: expect.any(String) },
      { id: first.experiment.id, extra: { metadata: { upload_mark: "m" } }, tenant_id: expect.any(String) },
      { reference_dataset_id: null, start_time: expect.any(String), run_count: 1 },
    ]);
  });

  test.each([
    ["?name=one&limit=1", ["one"]],
    ["?name=a%20project", ["a project"]],
    ["?name=none", []],
    ["?name_contains=N", ["one"]],
    ["?name_contains=O", ["two", "one", "a project"]],
    ["?name_contains=o&limit=1&offset=2", ["a project"]],
    ["?name_contains=", ["two", "one", "a project"]],
    ["?name_contains=o_e", []],
    ["?name=", []],
    [`?id=${UNKNOWN_ID}`, []],
    ["?reference_free=true", ["a project"]],
    ["?reference_free=True", ["a project"]],
    ["?reference_free=false", ["two", "one"]],
    ["?limit=2", ["two", "one"]],
    ["?limit=2&offset=1", ["one", "a project"]],
    ["?limit=2&offset=2", ["a project"]],
    ["?limit=2&offset=3", []],
  ])("are chosen by %s", async (query, names) => {
    const { list } = await begin();
    expect((await list(query)).names).toEqual(names);
  });

  test.each(["Team/1", 'a"b<c>', "50%", "é?#&"])("are found by an id that is not a UUID: %s", async (id) => {
    const service = await start();
    await traced(service, [run(1, { session_id: id, session_name: undefined })]);
    const at = (part: string) => call(service.url, "GET", `/sessions/${part}`);
    expect(await at(encodeURIComponent(id))).toMatchObject({ status: 200, json: { id, name: id, run_count: 1 } });
    expect((await at(encodeURIComponent(`${id}X`))).status).toBe(404);
    expect(await at("%zz")).toMatchObject({ status: 404, json: { error: "session %zz not found" } });
  });

  withService("are two where the id of one is the name of another", async (service) => {
    await traced(service, [run(1, { session_name: "a" }), run(2, { session_id: "a", session_name: undefined })]);
    const { json } = await call(service.url, "GET", "/sessions/a");
    expect(json).toMatchObject({
      id: "a",
      name: expect.stringMatching(/^a \([\da-f-]{36}\)$/) as string,
      run_count: 1,
    });
  });

  test("are those with one of these ids, in upper case too, and of one of these datasets", async () => {
    const { list, first, second } = await begin();
    const all = (await list("")).json as { id: string }[];
    const ids = all.map(({ id }) => id);
    expect((await list(`?id=${String(ids[0]?.toUpperCase())}&id=${String(ids[2])}`)).names).toEqual([
      "two",
      "a project",
    ]);
    const datasets = [first, second].map(({ dataset }) => `reference_dataset=${dataset.id}`);
    expect((await list(`?${datasets.join("&")}`)).names).toEqual(["two", "one"]);
    expect((await list(`?${datasets.join("&")}&id=${String(ids[1])}`)).headers["x-pagination-total"]).toBe("1");
  });

  test.each(["metadata=%7B%7D", "filter=x", "dataset_version=1", "reference_dataset=x", "reference_free=perhaps"])(
    "are not listed with a filter that the service does not have: %s",
    async (query) => {
      const service = await start();
      const reply = await call(service.url, "GET", `/sessions?${query}`);
      expect(reply).toMatchObject({
        status: 422,
        json: { error: expect.stringContaining(query.split("=")[0] ?? "") as string },
      });
    },
  );

  test("are those of a dataset, or one by its id", async () => {
    const { service, list, first } = await begin();
    expect((await list(`?reference_dataset=${first.dataset.id}`)).names).toEqual(["one"]);
    expect((await call(service.url, "GET", `/sessions/${first.experiment.id}`)).json).toMatchObject({ name: "one" });
    expect((await call(service.url, "GET", `/sessions/${UNKNOWN_ID}`)).status).toBe(404);
  });
});
