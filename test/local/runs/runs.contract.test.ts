import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { LocalService } from "../../../src/local/index.ts";
import { Database } from "../../../src/local/state/database.ts";
import { withFolder, withService, call, start } from "../caller.ts";
import {
  START_MS,
  addition,
  form,
  listOf,
  part,
  partsOf,
  readBack,
  run,
  runId,
  sendForm,
  traced,
  type Fields,
} from "../run-caller.ts";

const END = "2026-03-04T05:00:09.000001Z";

test.each(["/info", "/api/v1/info"])(
  "GET /info says at %s how large a batch may be, and in which encodings",
  async (path) => {
    const service = await start();
    const { status, json } = await call(service.url, "GET", path);
    expect([status, json]).toEqual([
      200,
      {
        version: "local",
        batch_ingest_config: {
          use_multipart_endpoint: true,
          scale_up_qsize_trigger: 1000,
          scale_up_nthreads_limit: 16,
          scale_down_nempty_trigger: 4,
          size_limit: 100,
          size_limit_bytes: 20_971_520,
        },
        instance_flags: { gzip_body_enabled: true, zstd_compression_enabled: true },
      },
    ]);
  },
);

describe("a form of runs", () => {
  withService("reads back with every field that was sent, to the digit, and without nulls", async (service) => {
    const root = run(1, {
      inputs: { q: "é\u2028", n: null },
      extra: { metadata: { a: [1] } },
      tags: ["x"],
      attachments: ["a field of its own"],
      error: null,
    });
    const big = '{"big":12345678901234567890,"small":1.0,"deep":{"null":null}}';
    const parts = [
      ...partsOf("post", root),
      { name: `post.${root.id}.outputs`, content: big },
      part(`post.${root.id}.events`, [{ name: "new_token" }]),
      part(`post.${root.id}.serialized`, { kind: 1 }),
    ];
    expect((await sendForm(service, form(parts))).status).toBe(202);
    const { text, json } = await call(service.url, "GET", `/runs/${root.id}`);
    expect(text).toContain(`"outputs":${big}`);
    const { outputs: _outputs, session_id: session, app_path: path, status, ...rest } = json as Fields;
    expect(status).toBe("pending");
    const { error: _error, ...sent } = root;
    expect(rest).toEqual({ ...sent, events: [{ name: "new_token" }], serialized: { kind: 1 } });
    expect(path).toBe(`/o/00000000-0000-4000-8000-000000000000/projects/p/${String(session)}/r/${root.id}`);
  });

  withService("takes the length of a part as a parameter of its type, files, and feedback", async (service) => {
    const root = run(1);
    const main = JSON.stringify(root);
    const length = Buffer.byteLength(main);
    const reply = await sendForm(
      service,
      form([
        { name: `post.${root.id}`, content: main, headers: [`Content-Type: application/json; length=${length}`] },
        {
          name: `attachment.${root.id}.photo.png`,
          content: Buffer.from([0, 255, 13, 10, 45, 45]),
          headers: ["Content-Type: image/png; length=6"],
        },
        part(`feedback.${runId(7)}`, { trace_id: root.id, key: "k" }),
      ]),
    );
    expect([reply.status, reply.text]).toEqual([202, '{"message":"Runs ingested"}']);
    expect(await readBack(service, root.id)).toMatchObject({
      attachments: { "photo.png": { type: "image/png", bytes: 6 } },
    });
  });

  withService("adds to runs: what came later wins, and null says nothing", async (service) => {
    const root = run(1, { inputs: { a: 1 }, tags: ["one"] });
    await traced(service, [root], [addition(root, { outputs: { b: 2 }, end_time: END })]);
    await traced(service, [], [addition(root, { name: null, inputs: null, tags: ["two"], outputs: { c: 3 } })]);
    expect(await readBack(service, root.id)).toMatchObject({
      name: "run 1",
      inputs: { a: 1 },
      outputs: { c: 3 },
      tags: ["two"],
      end_time: END,
    });
  });

  withService("keeps what adds to a run until the run comes", async (service) => {
    const root = run(1, { inputs: { a: 1 }, name: "first" });
    const child = run(2, {}, root);
    await traced(
      service,
      [],
      [
        addition(child, { outputs: { done: true }, end_time: END }),
        addition(child, { name: "last" }),
        addition(run(3, {}, root), { name: "never made" }),
      ],
    );
    expect((await call(service.url, "GET", `/runs/${child.id}`)).status).toBe(404);
    expect((await listOf(service, "/sessions")).total).toBe(0);
    await traced(service, [child, root]);
    expect(await readBack(service, child.id)).toMatchObject({
      ...child,
      name: "last",
      outputs: { done: true },
      end_time: END,
    });
    for (const filter of ["session=project", `trace=${root.id}`]) {
      const { resources, total } = await listOf(service, `/runs?${filter}`);
      expect(resources.map(({ id }) => id)).toEqual([root.id, child.id]);
      expect(total).toBe(2);
    }
  });

  test("answers 409 when all runs that it makes are there, keeps them, and still adds to runs", async () => {
    const service = await start();
    const root = run(1);
    await traced(service, [root]);
    const again = [run(1, { name: "another" }), addition(root, { end_time: END })] as const;
    const parts = [...partsOf("post", again[0]), ...partsOf("patch", again[1])];
    const reply = await sendForm(service, form(parts));
    expect([reply.status, reply.json]).toEqual([409, { error: "the runs already exist" }]);
    expect(await readBack(service, root.id)).toMatchObject({ name: "run 1", end_time: END });
    await traced(service, [again[0], run(2)]);
    expect((await listOf(service, "/runs?session=project")).resources.map(({ name }) => name)).toEqual([
      "run 1",
      "run 2",
    ]);
  });

  withService("may hold more runs than a batch should", { tags: "slow" }, async (service) => {
    const root = run(0);
    const children = Array.from({ length: 1_500 }, (_, index) => run(index + 1, { inputs: { index } }, root));
    // The last one comes first.
    await traced(service, [...children.toReversed(), root]);
    const [first, second] = [
      await listOf(service, `/runs?trace=${root.id}&limit=1000`),
      await listOf(service, `/runs?trace=${root.id}&limit=1000&offset=1000`),
    ];
    expect([first.offset, first.total, second.offset]).toEqual([1000, 1501, 1501]);
    const ids = [...first.resources, ...second.resources].map(({ id }) => id);
    expect(ids).toEqual([root, ...children].map(({ id }) => id));
  });
});

describe("POST /runs and PATCH /runs/{id}", () => {
  const plain = { id: runId(1), name: "plain", run_type: "tool", start_time: START_MS };
  const post = (service: LocalService, json: unknown, path = "/runs") => call(service.url, "POST", path, { json });

  test.each(["", "/api/v1"])("make a trace under the prefix %j without ids of a place", async (prefix) => {
    const service = await start();
    const child = { ...plain, id: runId(2), parent_run_id: runId(1), start_time: "2026-03-04T05:00:00.5Z" };
    const early = { ...plain, id: runId(3), parent_run_id: runId(2), start_time: "2026-03-04T04:00:00+00:00" };
    for (const one of [plain, child, early]) expect((await post(service, one, `${prefix}/runs`)).status).toBe(202);
    const root = "20260304T050000000000Z00000000-0000-7000-8000-000000000001";
    const below = `${root}.20260304T050000500000Z00000000-0000-7000-8000-000000000002`;
    const { resources } = await listOf(service, `${prefix}/runs?session=default`);
    expect(resources.map(({ trace_id, dotted_order, start_time }) => [trace_id, dotted_order, start_time])).toEqual([
      [runId(1), root, "2026-03-04T05:00:00Z"],
      [runId(1), below, "2026-03-04T05:00:00.500Z"],
      [runId(1), `${below}.20260304T050000500000Z${runId(3)}`, "2026-03-04T04:00:00Z"],
    ]);
  });

  withService("add to a run whatever they say of its place, and ignore null", async (service) => {
    await post(service, { ...plain, inputs: { a: 1 } });
    const json = { outputs: { x: 1 }, end_time: START_MS + 7, inputs: null, made_up: 1 };
    const reply = await call(service.url, "PATCH", `/runs/${plain.id}`, { json });
    expect([reply.status, reply.text]).toEqual([202, '{"message":"Runs ingested"}']);
    expect(await readBack(service, plain.id)).toMatchObject({ inputs: { a: 1 }, outputs: { x: 1 }, made_up: 1 });
  });

  withService("answer 404 for an unknown run, and keep what says its own place", async (service) => {
    const root = run(1);
    const patch = (json: unknown) => call(service.url, "PATCH", `/runs/${root.id}`, { json });
    const lost = await patch({ outputs: {} });
    expect([lost.status, lost.json]).toEqual([404, { error: `run ${root.id} not found` }]);
    expect((await patch(addition(root, { outputs: { x: 1 } }))).status).toBe(202);
    await post(service, root);
    expect(await readBack(service, root.id)).toMatchObject({ name: "run 1", outputs: { x: 1 } });
  });

  withService("answer 409 for a run that is there, and 422 for a parent that is not", async (service) => {
    await post(service, plain);
    expect((await post(service, plain)).status).toBe(409);
    const orphan = await post(service, { ...plain, id: runId(2), parent_run_id: runId(9) });
    expect(orphan).toMatchObject({
      status: 422,
      json: { error: expect.stringContaining(`parent_run_id ${runId(9)}`) },
    });
  });
});

withService("a batch of JSON makes runs and adds to runs", async (service) => {
  const root = run(1, { inputs: { n: 1 } });
  const json = { post: [root, run(2, {}, root)], patch: [addition(root, { end_time: END })] };
  const reply = await call(service.url, "POST", "/runs/batch", { json });
  expect(reply.status).toBe(202);
  expect(await readBack(service, root.id)).toMatchObject({ ...root, end_time: END });
  expect((await call(service.url, "POST", "/runs/batch", { json: { patch: null } })).status).toBe(202);
});

describe("projects", () => {
  withService("are counted, found by name, and made by a name, by an id, or by nothing", async (service) => {
    const root = run(1, { session_name: "by name" });
    const { session_name: _name, ...unnamed } = run(2, {}, root);
    const { session_name: _none, ...homeless } = run(3);
    await traced(service, [root, unnamed, homeless]);
    const id = "11111111-0000-4000-8000-000000000000";
    await traced(service, [
      run(4, { session_name: undefined, session_id: id }),
      run(5, { session_name: "x", session_id: id }),
    ]);
    const { resources, total } = await listOf(service, "/sessions");
    expect(total).toBe(3);
    expect(resources.map(({ name, run_count, trace_count }) => [name, run_count, trace_count])).toEqual([
      [id, 2, 2],
      ["default", 1, 1],
      ["by name", 2, 1],
    ]);
    expect((await listOf(service, "/sessions?name=by%20name")).resources).toMatchObject([
      { name: "by name", last_run_start_time: "2026-03-04T05:00:00.001Z" },
    ]);
    expect((await listOf(service, "/sessions?name=else")).resources).toEqual([]);
    const stolen = run(6, { session_name: "by name", session_id: id.replace("1111", "2222") });
    expect((await sendForm(service, form(partsOf("post", stolen)))).status).toBe(422);
  });

  withService("list their traces newest first, each with how it went", async (service) => {
    const [one, other] = [run(1, { end_time: START_MS + 1001 }), run(2)];
    await traced(service, [one, other, run(3, { error: "it broke" }, other)]);
    const { resources, total } = await listOf(service, "/traces?session=project");
    expect([total, resources]).toMatchObject([
      2,
      [
        { id: other.id, status: "pending", run_count: 2, failed_count: 1 },
        { id: one.id, status: "success", run_count: 1, failed_count: 0, end_time: "2026-03-04T05:00:01.001Z" },
      ],
    ]);
  });

  test.each(["/runs?session=project", `/runs?trace=${runId(1)}`, `/o/-/traces/${runId(1)}`])(
    "%s needs no counts of a project, for which all of its runs are walked",
    async (path) => {
      const service = await start();
      await traced(service, [run(1)]);
      const asked = vi.spyOn(Database.prototype, "one");
      onTestFinished(() => asked.mockRestore());
      expect(await call(service.url, "GET", path)).toMatchObject({ status: 200 });
      expect(asked.mock.calls.filter(([, sql]) => sql.includes("trace_count"))).toEqual([]);
    },
  );

  test.each([
    ["/runs", 422],
    [`/runs?session=project&trace=${runId(1)}`, 422],
    ["/runs?trace=one", 422],
    ["/runs?session=project&limit=0", 422],
    ["/runs?session=none", 404],
    ["/traces?session=none", 404],
    ["/traces", 422],
    [`/runs/${runId(9)}`, 404],
  ])("%s answers %i with a sentence", async (path, status) => {
    const service = await start();
    await traced(service, [run(1)]);
    expect(await call(service.url, "GET", path)).toMatchObject({ status, json: { error: expect.any(String) } });
  });
});

withFolder("runs are there after a restart, and can be added to", async (dataDirectory) => {
  const first = await start({ dataDirectory });
  const root = run(1, { inputs: { a: 1 } });
  await traced(first, [root], [addition(run(2, {}, root), { outputs: { early: true } })]);
  const before = await readBack(first, root.id);
  await first.close();
  const second = await start({ dataDirectory });
  expect(await readBack(second, root.id)).toEqual(before);
  await traced(second, [run(2, {}, root)], [addition(root, { outputs: { late: true } })]);
  const { resources } = await listOf(second, `/runs?trace=${root.id}`);
  expect(resources).toMatchObject([{ outputs: { late: true } }, { outputs: { early: true } }]);
});

describe("faults hit runs like anything else", () => {
  withService("with a 429, a reset before the runs are stored, and one after", async (service) => {
    const body = form(partsOf("post", run(1)));
    const match = { method: "POST", path: /\/runs\/multipart$/ };
    service.faults.add({ match, do: { kind: "answer", status: 429, headers: { "retry-after": "2" } } });
    expect(await sendForm(service, body)).toMatchObject({ status: 429, headers: { "retry-after": "2" } });
    service.faults.add({ match, do: { kind: "reset" } });
    await expect(sendForm(service, body)).rejects.toThrow();
    expect((await listOf(service, "/sessions")).total).toBe(0);
    service.faults.add({ match, do: { kind: "reset", when: "after" } });
    await expect(sendForm(service, body)).rejects.toThrow();
    expect((await sendForm(service, body)).status).toBe(409);
    expect(service.requests.filter(({ path }) => path === "/runs/multipart")).toMatchObject([
      { status: 429 },
      { status: undefined },
      { status: undefined, bodyBytes: body.length },
      { status: 409, bodyBytes: body.length },
    ]);
  });
});
