import { Readable } from "node:stream";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { request } from "undici";
import { describe, expect, test } from "vitest";
import { describeErrorBody } from "../../../src/contract/validation-error.ts";
import type { LocalService } from "../../../src/local/index.ts";
import { withService, call, start, type Reply } from "../caller.ts";
import {
  BOUNDARY,
  addition,
  form,
  listOf,
  nothingIsThere,
  part,
  partsOf,
  readBack,
  run,
  runId,
  sendForm,
  START_MS,
  traced,
  type Fields,
  type TestPart,
} from "../run-caller.ts";

const ROOT = run(1);
const CHILD = run(2, {}, ROOT);
const START = "soon";
const NO_TIME = "start_time is not an ISO 8601 time";
const name = `post.${ROOT.id}`;
const JSON_TYPE = "Content-Type: application/json";

function refused(reply: Reply, status: number, sentence: string): void {
  expect([reply.status, reply.json]).toEqual([status, { error: sentence }]);
  // A client of this project says it to its user.
  expect(describeErrorBody(reply.json)).toEqual([sentence]);
}

const started = (offset: number) => new Date(START_MS + 1 + offset).toISOString();

describe("a run that ends before it starts is rejected, with the rest of its request", () => {
  const sentence = `run ${ROOT.id}: end_time is before start_time`;
  const EARLY: readonly (readonly [string, Fields])[] = [
    ["in ISO 8601", { end_time: started(-1) }],
    ["in milliseconds", { end_time: START_MS }],
    ["long before", { end_time: "1970-01-01T00:00:00Z" }],
  ];

  test.each(EARLY)("when it is made: %s", async (_how, change) => {
    const service = await start();
    const early = { ...ROOT, ...change };
    const parts = [...partsOf("post", run(5)), ...partsOf("post", early)];
    refused(await sendForm(service, form(parts)), 422, sentence);
    refused(await call(service.url, "POST", "/runs/batch", { json: { post: [run(5), early] } }), 422, sentence);
    refused(await call(service.url, "POST", "/runs", { json: early }), 422, sentence);
    await nothingIsThere(service);
  });

  test.each(EARLY)("when it is updated: %s", async (_how, change) => {
    const service = await start();
    await traced(service, [ROOT]);
    refused(await call(service.url, "PATCH", `/runs/${ROOT.id}`, { json: change }), 422, sentence);
    refused(await sendForm(service, form(partsOf("patch", addition(ROOT, change)))), 422, sentence);
    expect(await readBack(service, ROOT.id)).not.toHaveProperty("end_time");
    expect((await call(service.url, "PATCH", `/runs/${ROOT.id}`, { json: { end_time: started(5) } })).status).toBe(202);
    // Its start cannot be moved behind its end.
    refused(await call(service.url, "PATCH", `/runs/${ROOT.id}`, { json: { start_time: started(6) } }), 422, sentence);
    expect((await call(service.url, "PATCH", `/runs/${ROOT.id}`, { json: { outputs: {} } })).status).toBe(202);
  });

  test.each(EARLY)("when its update arrives first: %s", async (_how, change) => {
    const service = await start();
    expect((await sendForm(service, form(partsOf("patch", addition(ROOT, change))))).status).toBe(202);
    refused(await sendForm(service, form(partsOf("post", ROOT))), 422, sentence);
    await nothingIsThere(service);
  });

  test.each([
    ["as it starts", { end_time: started(0) }],
    ["a part of a millisecond before", { start_time: started(0).replace("Z", "900Z"), end_time: started(0) }],
    ["by a clock of milliseconds", { start_time: started(0).replace("Z", "001Z"), end_time: START_MS + 1 }],
    ["never", { end_time: null }],
  ])("but not one that ends %s", async (_how, change) => {
    const service = await start();
    await traced(service, [{ ...ROOT, ...change }]);
  });
});

describe("an invalid run is rejected, with the rest of its request", () => {
  const order = ROOT.dotted_order;
  const RULES: readonly (readonly [string, Fields, string])[] = [
    ["no name", { name: null }, "name is missing"],
    ["no type", { run_type: undefined }, "run_type is missing"],
    ["no start", { start_time: undefined }, "start_time is missing"],
    ["start", { start_time: "soon" }, "start_time is not an ISO 8601 time"],
    ["end", { end_time: "2026-02-30T00:00:00Z" }, "end_time is not an ISO 8601 time"],
    ["no trace", { trace_id: null }, "trace_id is missing"],
    ["no order", { dotted_order: undefined }, "dotted_order is missing"],
    ["neither", { trace_id: undefined, dotted_order: undefined }, "trace_id is missing"],
    ["trace of another", { trace_id: runId(9) }, "trace_id does not match the first part of dotted_order"],
    [
      "nine digits",
      { dotted_order: order.replace("Z", "000Z") },
      "dotted_order must be segments like 20240102T030405678901Z and a UUID, joined by dots",
    ],
    ["another's order", { dotted_order: CHILD.dotted_order }, "dotted_order does not end with the id of the run"],
  ];
  test.each(RULES)("%s", async (_rule, change, sentence) => {
    const service = await start();
    const parts = [...partsOf("post", run(5)), ...partsOf("post", { ...ROOT, ...change })];
    refused(await sendForm(service, form(parts)), 422, `run ${ROOT.id}: ${sentence}`);
    await nothingIsThere(service);
    const batch = await call(service.url, "POST", "/runs/batch", { json: { post: [run(5), { ...ROOT, ...change }] } });
    refused(batch, 422, `run ${ROOT.id}: ${sentence}`);
    await nothingIsThere(service);
  });

  const CHILD_RULES: readonly (readonly [string, Fields, string])[] = [
    ["no parent", { parent_run_id: null }, "dotted_order must be a single part for a run without a parent"],
    [
      "another parent",
      { parent_run_id: runId(9) },
      "parent_run_id does not match the part of dotted_order before the last",
    ],
  ];
  test.each(CHILD_RULES)("child: %s", async (_rule, change, sentence) => {
    const service = await start();
    const parts = [ROOT, { ...CHILD, ...change }].flatMap((one) => partsOf("post", one));
    refused(await sendForm(service, form(parts)), 422, `run ${CHILD.id}: ${sentence}`);
    await nothingIsThere(service);
  });

  test.each([
    ["run_type", { run_type: 7 }, /^run \S+: run_type: Invalid input/],
    ["id", { id: "one" }, /^run \S+: id: must be a UUID$/],
    ["name", { name: 7 }, /^run \S+: name: Invalid input/],
    ["tags", { inputs: ["a"] }, /^run \S+: inputs is not an object$/],
    ["outputs", { outputs: "text" }, /^run \S+: outputs is not an object$/],
    ["events", { events: { a: 1 } }, /^run \S+: events/],
    ["another id", { id: runId(4) }, /^run \S+: its content has another id$/],
  ])("a wrong %s, which the sentence names", async (_field, change, sentence) => {
    const service = await start();
    const parts = partsOf("post", { ...ROOT, ...change }).map((one) => ({
      ...one,
      name: one.name.replace(/^post\.[^.]+/, name),
    }));
    expect(await sendForm(service, form(parts))).toMatchObject({
      status: 422,
      json: { error: expect.stringMatching(sentence) },
    });
    await nothingIsThere(service);
  });

  test.each<[string, Fields]>([
    ["long name", { name: "n".repeat(5_000) }],
    ["empty name", { name: "" }],
    ["run_type", { run_type: "robot" }],
    ["session_id", { session_id: "Team/1", session_name: undefined }],
  ])("but a %s that only some services reject is taken as it is, at every door", async (_what, change) => {
    const service = await start();
    const sent = { ...ROOT, ...change };
    const [alone, listed] = [run(7, change), run(8, change)];
    expect((await sendForm(service, form(partsOf("post", sent)))).status).toBe(202);
    expect((await call(service.url, "POST", "/runs", { json: alone })).status).toBe(202);
    expect((await call(service.url, "POST", "/runs/batch", { json: { post: [listed] } })).status).toBe(202);
    for (const { id } of [ROOT, alone, listed]) {
      const { json } = await call(service.url, "GET", `/runs/${id}`);
      expect(json).toMatchObject(JSON.parse(JSON.stringify(change)) as Fields);
    }
  });

  withService("but a child that starts before its parent is taken", async (service) => {
    const early = { ...CHILD, dotted_order: `${ROOT.dotted_order}.20260304T045959000000Z${CHILD.id}` };
    const reply = await sendForm(service, form([ROOT, early].flatMap((one) => partsOf("post", one))));
    expect(reply.status).toBe(202);
  });

  withService("what adds to a run has to say its place, and nothing else", async (service) => {
    const { trace_id: _trace, ...half } = addition(ROOT);
    refused(
      await sendForm(service, form([part(`patch.${ROOT.id}`, half)])),
      422,
      `run ${ROOT.id}: trace_id is missing`,
    );
    const long = await sendForm(service, form(partsOf("patch", addition(ROOT, { start_time: START }))));
    refused(long, 422, `run ${ROOT.id}: ${NO_TIME}`);
    expect((await sendForm(service, form(partsOf("patch", addition(CHILD))))).status).toBe(202);
  });

  withService("POST /runs and PATCH /runs/{id} say it in the same form", async (service) => {
    const post = (json: unknown) => call(service.url, "POST", "/runs", { json });
    refused(await post({ ...ROOT, start_time: START }), 422, `run ${ROOT.id}: ${NO_TIME}`);
    refused(await post({ ...ROOT, trace_id: null }), 422, `run ${ROOT.id}: trace_id is missing`);
    refused(await post([]), 422, "a run is not a JSON object");
    const typed = await call(service.url, "POST", "/runs", { body: "{}", headers: { "content-type": "text/plain" } });
    refused(typed, 422, "The Content-Type must be application/json");
    const broken = { body: '{"a":', headers: { "content-type": "application/json" } };
    refused(await call(service.url, "POST", "/runs", broken), 422, "a run: the content is not valid JSON");
    refused(await call(service.url, "PATCH", "/runs/one", { json: {} }), 422, "run ID one is not a valid UUID");
    expect((await post(ROOT)).status).toBe(202);
    const patched = await call(service.url, "PATCH", `/runs/${ROOT.id}`, { json: { start_time: START } });
    refused(patched, 422, `run ${ROOT.id}: ${NO_TIME}`);
    refused(
      await call(service.url, "PATCH", `/runs/${ROOT.id}`, { json: { outputs: [] } }),
      422,
      `run ${ROOT.id}: outputs is not an object`,
    );
  });

  test.each([
    [[], "the batch is not a JSON object"],
    [{ post: {} }, "post is not a list of runs"],
    [{ patch: [7] }, "a run is not a JSON object"],
  ])("a batch of %j", async (json, sentence) => {
    const service = await start();
    refused(await call(service.url, "POST", "/runs/batch", { json }), 422, sentence);
  });
});

describe("a form with an invalid part", () => {
  const content = JSON.stringify(ROOT);
  const length = Buffer.byteLength(content);
  const main = (change: Partial<TestPart>): readonly TestPart[] => [{ name, content, ...change }];
  const whole = form(partsOf("post", ROOT));
  const CASES: readonly (readonly [string, Buffer, string])[] = [
    ["no type", form(main({ headers: [`Content-Length: ${length}`] })), `part ${name}: Content-Type is missing`],
    [
      "no length",
      form(main({ headers: [JSON_TYPE] })),
      `part ${name}: neither a Content-Length header nor a length parameter`,
    ],
    [
      "two lengths",
      form(main({ headers: [`${JSON_TYPE}; length=${length}`, `Content-Length: ${length - 1}`] })),
      `part ${name}: Content-Length and the length parameter differ`,
    ],
    [
      "a length that is none",
      form(main({ headers: [JSON_TYPE, "Content-Length: -1"] })),
      `part ${name}: its length is not a number of bytes`,
    ],
    [
      "a length that is too small",
      form(main({ headers: [JSON_TYPE, `Content-Length: ${length - 1}`] })),
      `part ${name}: its content is not ${length - 1} bytes long, as its header says`,
    ],
    [
      "a length in characters",
      form([
        {
          name,
          content: content.replace("run 1", "rün 1"),
          headers: [JSON_TYPE, `Content-Length: ${content.length}`],
        },
      ]),
      `part ${name}: its content is not ${length} bytes long, as its header says`,
    ],
    [
      "a length that is too large",
      form(main({ headers: [JSON_TYPE, `Content-Length: ${length + 1000}`] })),
      "error reading multipart data: unexpected EOF",
    ],
    [
      "an encoding of its own",
      form(main({ headers: [JSON_TYPE, `Content-Length: ${length}`, "Content-Encoding: gzip"] })),
      `part ${name}: Content-Encoding is not allowed in a part`,
    ],
    [
      "another type",
      form(main({ headers: ["Content-Type: text/plain", `Content-Length: ${length}`] })),
      `part ${name}: Content-Type text/plain is not application/json`,
    ],
    [
      "another event",
      form([part(`put.${ROOT.id}`, {})]),
      `part put.${ROOT.id}: a name is EVENT.RUN_ID or EVENT.RUN_ID.FIELD`,
    ],
    [
      "another field",
      form([part(`${name}.tags`, [])]),
      `part ${name}.tags: a name is EVENT.RUN_ID or EVENT.RUN_ID.FIELD`,
    ],
    ["no uuid", form([part("post.one", {})]), "part post.one: a name is EVENT.RUN_ID or EVENT.RUN_ID.FIELD"],
    ["no main part", form([part(`${name}.inputs`, {})]), `part ${name} is missing`],
    ["no JSON", form([{ name, content: "{" }]), `run ${ROOT.id}: the content is not valid JSON`],
    [
      "no JSON in a field",
      form([...partsOf("post", ROOT), { name: `${name}.inputs`, content: "{'a':1}" }]),
      `part ${name}.inputs: the content is not valid JSON`,
    ],
    [
      "no UTF-8",
      form([...partsOf("post", ROOT), { name: `${name}.inputs`, content: Buffer.from('{"a":"\xff"}', "latin1") }]),
      `part ${name}.inputs: the content is not UTF-8`,
    ],
    ["nothing", Buffer.alloc(0), "error reading multipart data: multipart: NextPart: EOF"],
    ["no end", form(partsOf("post", ROOT), ""), "error reading multipart data: unexpected EOF"],
    ["half of it", whole.subarray(0, whole.length / 2), "error reading multipart data: unexpected EOF"],
    [
      "another boundary",
      form(partsOf("post", ROOT), `--${BOUNDARY}x--\r\n`),
      "error reading multipart data: multipart: expecting a new Part",
    ],
  ];
  test.each(CASES)("%s", async (_rule, body, sentence) => {
    const service = await start();
    refused(await sendForm(service, body), 422, sentence);
    await nothingIsThere(service);
  });

  test.each([
    ["application/json", "request Content-Type isn't multipart/form-data"],
    ["multipart/form-data", "no multipart boundary param in Content-Type"],
    [`multipart/form-data; boundary=${"b".repeat(71)}`, "no multipart boundary param in Content-Type"],
  ])("the type %s", async (type, sentence) => {
    const service = await start();
    refused(await sendForm(service, whole, { headers: { "content-type": type } }), 422, sentence);
  });
});

describe("a body in an encoding", () => {
  const body = form(partsOf("post", run(1, { inputs: { text: "again ".repeat(1000) } })));
  const ENCODERS = { gzip: gzipSync, zstd: zstdCompressSync } as const;

  test.each(["gzip", "zstd", "GZIP"] as const)("of %s is read", async (encoding) => {
    const service = await start();
    const bytes = encoding === "zstd" ? zstdCompressSync(body) : gzipSync(body);
    expect((await sendForm(service, bytes, { headers: { "content-encoding": encoding } })).status).toBe(202);
    expect((await listOf(service, "/runs?session=project")).total).toBe(1);
  });

  withService("is read for a single run too", async (service) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const reply = await call(service.url, "POST", "/runs", { body: gzipSync(JSON.stringify(ROOT)), headers });
    expect(reply.status).toBe(202);
  });

  test.each(["gzip", "zstd"] as const)("of %s is refused when it is cut off or something else", async (encoding) => {
    const service = await start();
    const headers = { "content-encoding": encoding };
    const cut = ENCODERS[encoding](body).subarray(0, -9);
    refused(await sendForm(service, cut, { headers }), 422, `error reading ${encoding} data: unexpected EOF`);
    const other = `error reading ${encoding} data: the body is not in this encoding`;
    refused(await sendForm(service, body, { headers }), 400, other);
    await nothingIsThere(service);
  });

  withService("that is not supported is rejected with 415", async (service) => {
    const headers = { "content-encoding": "br" };
    refused(await sendForm(service, body, { headers }), 415, "Content-Encoding br is neither gzip nor zstd");
  });
});

describe("a body above the limit of /info answers 413", () => {
  const limit = 10_000;
  const small = form(partsOf("post", run(1, { inputs: { text: "x".repeat(limit - 1000) } })));
  const large = form(partsOf("post", run(1, { inputs: { text: "x".repeat(limit) } })));
  const limited = () => start({ runLimitBytes: limit });
  const tooLarge = (service: LocalService, reply: Reply) => {
    refused(reply, 413, `The body is larger than ${limit} bytes.`);
    return nothingIsThere(service);
  };

  test("as it is sent, with its length or without", async () => {
    const service = await limited();
    const info = await call(service.url, "GET", "/info");
    expect(info.json).toMatchObject({ batch_ingest_config: { size_limit_bytes: limit } });
    await tooLarge(service, await sendForm(service, large));
    const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
    const body = Readable.from(
      Array.from({ length: 11 }, (_, index) => large.subarray(index * 1000, index * 1000 + 1000)),
    );
    const reply = await request(`${service.url}/runs/multipart`, { method: "POST", headers, body });
    expect([reply.statusCode, await reply.body.json()]).toEqual([
      413,
      { error: `The body is larger than ${limit} bytes.` },
    ]);
    expect((await sendForm(service, small)).status).toBe(202);
  });

  test.each(["gzip", "zstd"] as const)("as it is decoded from %s, however small it was", async (encoding) => {
    const service = await limited();
    const headers = { "content-encoding": encoding };
    const encode = encoding === "gzip" ? gzipSync : zstdCompressSync;
    await tooLarge(service, await sendForm(service, encode(large), { headers }));
    expect((await sendForm(service, encode(small), { headers })).status).toBe(202);
  });
});
