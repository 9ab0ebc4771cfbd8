import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { UploadTerms } from "../../src/experiment-upload/terms.ts";
import { FastClock } from "../wire/clocks.ts";
import {
  closed,
  garbageBytes,
  garbageJson,
  htmlPage,
  hugeBody,
  resetAfter,
  resetBefore,
  stalledBody,
  stalledHeaders,
  status,
  statusAfter,
  truncated,
  type Fault,
} from "../wire/faults.ts";
import { madeService, type Kind } from "./made-service.ts";
import { read, ready, uploads } from "./rig.ts";

const RESULTS = join(import.meta.dirname, "../fixtures/results/jsonl/names.jsonl");
const POST = { method: "POST" };
const MARK = "77:ab";

interface Setting extends Partial<UploadTerms> {
  readonly kind?: Kind;
  readonly before?: readonly string[];
  readonly faults?: readonly Fault[];
  /** How long the service takes to answer the first upload. */
  readonly takes?: number;
}

/** One upload of the name `nightly`: how it ended, and what was asked and stored. */
async function upload({ kind, before, faults = [], takes = 0, ...terms }: Setting) {
  const service = await madeService(kind, before);
  const clock = new FastClock();
  service.front.onStall = () => clock.pass(600_000);
  for (const [index, { act, ...fault }] of faults.entries()) {
    const later: Fault["act"] = (context) => {
      if (index === 0) clock.pass(takes);
      return act?.(context);
    };
    service.front.script(POST, { ...fault, act: later });
  }
  const experiment = ready("nightly", await read([RESULTS]), MARK);
  const reasons: string[] = [];
  const ended = await uploads(service.url, clock)
    .upload(experiment, { timeoutMilliseconds: 600_000, onSearch: (reason) => reasons.push(reason), ...terms })
    .then(
      (outcome) => ({ outcome, error: undefined }),
      (error: unknown) => ({ outcome: undefined, error }),
    );
  return { ...ended, clock, reasons, service, posts: service.posts(), ours: service.ours(), looks: service.looks() };
}

const UNCLEAR: readonly (readonly [string, Fault])[] = [
  ["a 502", statusAfter(502)],
  ["a 500", statusAfter(500)],
  ["a 503", statusAfter(503)],
  ["a reset", resetAfter],
  ["a closed connection", closed],
  ["bytes that are not HTTP", garbageBytes],
];
const ANSWERED: readonly (readonly [string, Fault])[] = [
  ["a success that is cut off", truncated],
  ["a success with half of some JSON", garbageJson],
  ["a success of 17 MiB", hugeBody],
  ["a success whose body never ends", stalledBody],
];
const KINDS: readonly (readonly [string, Kind])[] = [
  ["takes a name once", { isUnique: true }],
  ["takes a name twice", {}],
  ["takes a name twice, with a list that lags", { lag: 2 }],
];

describe("a stored upload that is not answered is found by its mark, and never sent again", () => {
  for (const [kindName, kind] of KINDS) {
    test.each([...UNCLEAR, ...ANSWERED, ["a web page", htmlPage] as const])(`${kindName}: %s`, async (_, fault) => {
      const { outcome, error, posts, ours } = await upload({ kind, faults: [fault] });
      expect(error).toBeUndefined();
      expect(outcome).toMatchObject({ id: "new-1", dataset: { id: "d" }, wasSent: true });
      expect([posts, ours.length]).toEqual([1, 1]);
    });
  }

  test("after 1, 2 and 4 s", async () => {
    const { clock, looks, reasons } = await upload({ kind: { lag: 2 }, faults: [statusAfter(502)] });
    expect(clock.sleeps).toEqual([1_000, 2_000, 4_000]);
    expect(looks).toBe(3);
    expect(reasons).toEqual([expect.stringMatching(/returned 502/)]);
  });

  test("and after a 504 for as long as the attempt took, since the service may still be storing", async () => {
    const late = await upload({ kind: { lag: 6 }, faults: [statusAfter(504)], takes: 40_000 });
    expect(late.outcome).toMatchObject({ id: "new-1" });
    expect([late.posts, late.ours.length]).toEqual([1, 1]);
    expect(late.clock.sleeps).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
    const quick = await upload({ faults: [status(502)], takes: 40_000 });
    expect(quick.clock.sleeps.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 2_000]);
  });

  test.each([
    ["falls silent", stalledHeaders],
    ["stops in its response", stalledBody],
  ])("also when all of the time went to a service that %s", async (_, fault) => {
    const { outcome, posts } = await upload({ kind: { lag: 2 }, faults: [fault] });
    expect(outcome).toMatchObject({ id: "new-1" });
    expect(posts).toBe(1);
  });
});

describe("an upload that is not answered, and that a list of experiments does not show, is sent once more", () => {
  for (const [kindName, kind] of KINDS) {
    test.each([
      ["a 502", status(502)],
      ["a reset", resetBefore],
    ])(`${kindName}: %s`, async (_, fault) => {
      const { outcome, posts, ours } = await upload({ kind, faults: [fault] });
      expect(outcome).toMatchObject({ id: "new-1" });
      expect([posts, ours.length]).toEqual([2, 1]);
    });
  }

  test("and no third time", async () => {
    const { error, posts, ours } = await upload({ faults: [status(502), status(502), status(502)] });
    expect(error).toMatchObject({ code: "EXPERIMENT_UNANSWERED", experimentName: "nightly" });
    expect([posts, ours.length]).toEqual([2, 0]);
  });

  test("and is found if only the second one was stored, without an answer", async () => {
    const { outcome, posts, ours } = await upload({ faults: [status(502), statusAfter(502)] });
    expect(outcome).toMatchObject({ id: "new-1" });
    expect([posts, ours.length]).toEqual([2, 1]);
  });

  test("and two that are stored then are an error with both ids", async () => {
    const { error, posts } = await upload({ kind: { lag: 4 }, faults: [statusAfter(502)] });
    expect(error).toMatchObject({
      code: "EXPERIMENT_STORED_TWICE",
      message: 'The experiment "nightly" is stored 2 times: new-1, new-2.',
      experimentIds: ["new-1", "new-2"],
    });
    expect(posts).toBe(2);
  });

  test("and what another one of the name is is not ours", async () => {
    const { outcome, posts, ours } = await upload({ before: ["nightly"], faults: [status(502)] });
    expect(outcome).toMatchObject({ id: "new-1" });
    expect([posts, ours.length]).toEqual([2, 1]);
  });
});

describe("an upload that is not answered is not sent again where no list decides, and is red with its name", () => {
  const lists: readonly (readonly [string, Kind, readonly string[]])[] = [
    ["no list", { list: "404" }, []],
    ["a list of another shape", { list: "another shape" }, []],
    ["a page in place of a list", { list: "html" }, []],
    ["a list without any experiment", {}, []],
    ["a list that shows none of its experiments", { list: "none" }, ["an older one"]],
    ["a list that ignores the name", { list: "unfiltered" }, ["an older one"]],
    ["a list without metadata", { list: "without metadata" }, ["nightly"]],
  ];
  test.each(lists)("%s", async (_, kind, before) => {
    const { error, posts, service } = await upload({ kind, before, faults: [status(502)] });
    expect(error).toMatchObject({
      code: "EXPERIMENT_UNANSWERED",
      message: `Could not confirm that the experiment "nightly" was stored: POST ${service.url}/api/v1/datasets/upload-experiment returned 502: No.`,
      advice: `Look for it by its name before you run again: curl -H "x-api-key: $GRAPH_DEPLOY_API_KEY" "${service.url}/api/v1/sessions?name=nightly"`,
    });
    expect(posts).toBe(1);
  });

  test.each(lists.slice(0, 4))("%s: unless the caller says that the service takes a name once", async (_, kind) => {
    const twice = await upload({ kind, before: [], faults: [status(502), status(502)], onUnclear: "retry" });
    expect(twice.outcome).toMatchObject({ id: "new-1" });
    expect(twice.posts).toBe(3);
    const never = await upload({
      kind,
      before: [],
      faults: [status(502), status(502), status(502)],
      onUnclear: "retry",
    });
    expect(never.error).toMatchObject({ code: "EXPERIMENT_UNANSWERED" });
    expect(never.posts).toBe(3);
  });

  test("and a conflict then leaves it open, since the name may be there since yesterday", async () => {
    const kind = { isUnique: true, list: "404" } as const;
    const { error, posts, ours } = await upload({
      kind,
      before: ["nightly"],
      faults: [status(502)],
      onUnclear: "retry",
    });
    expect(error).toMatchObject({ code: "EXPERIMENT_UNANSWERED" });
    expect([posts, ours.length]).toEqual([2, 0]);
  });

  test.each(ANSWERED)("%s is never sent again, whatever the caller says", async (_, fault) => {
    const { error, posts, ours } = await upload({ kind: { list: "404" }, faults: [fault], onUnclear: "retry" });
    expect(error).toMatchObject({ code: "EXPERIMENT_UNANSWERED" });
    expect([posts, ours.length]).toEqual([1, 1]);
  });
});

test.each([413, 422])("a %i after a lost request says nothing of that one, which may be stored", async (code) => {
  const { error, posts, ours } = await upload({ faults: [status(502), status(code)] });
  expect(error).toMatchObject({ code: "EXPERIMENT_UNANSWERED" });
  expect([posts, ours.length]).toEqual([2, 0]);
});

describe("a conflict", () => {
  test("is one with another experiment where the list shows that one", async () => {
    const { error, posts, looks } = await upload({ kind: { isUnique: true }, before: ["nightly"] });
    expect(error).toMatchObject({ code: "EXPERIMENT_NAME_TAKEN" });
    expect([posts, looks]).toEqual([1, 1]);
  });

  test("is one with another experiment where there is no list", async () => {
    const { error } = await upload({ kind: { isUnique: true, list: "404" }, before: ["nightly"] });
    expect(error).toMatchObject({ code: "EXPERIMENT_NAME_TAKEN" });
  });

  test.each([0, 2])(
    "is one with this upload where a gateway has sent it twice, and the list lags by %i",
    async (lag) => {
      const { outcome, ours } = await upload({ kind: { isUnique: true, lag }, faults: [statusAfter(409)] });
      expect(outcome).toMatchObject({ id: "new-1" });
      expect(ours).toHaveLength(1);
    },
  );

  test("after a lost request is one with another experiment where the list shows that one", async () => {
    const { error, posts, ours } = await upload({
      kind: { isUnique: true },
      before: ["nightly"],
      faults: [status(502)],
    });
    expect(error).toMatchObject({ code: "EXPERIMENT_NAME_TAKEN" });
    expect([posts, ours.length]).toEqual([2, 0]);
  });
});

describe("a success", () => {
  const page = { headers: { "content-type": "text/plain" }, body: "<!doctype html><title>Sign in</title>" };
  test.each([
    ["201 with nothing", { status: 201 }],
    ["202 with a message", { status: 202, body: { message: "accepted" } }],
    ["204", { status: 204 }],
    ["200 with a text", { status: 200, headers: { "content-type": "text/plain" }, body: "ok" }],
    ["200 with a text of no type", { status: 200, body: "ok" }],
    ["200 with a list", { status: 200, body: [] }],
    ["200 with other JSON", { status: 200, body: { hello: "world", error: null } }],
    ["200 with the word that there is no error", { status: 200, body: { ok: true, error: false, detail: [] } }],
    ["201 with an empty error", { status: 201, body: { id: "1", error: "" } }],
  ])("stores the experiment: %s", async (_, answer) => {
    const listed = await upload({ kind: { answer } });
    expect(listed.outcome).toMatchObject({ id: "new-1", wasSent: true });
    const unlisted = await upload({ kind: { answer, list: "404" } });
    expect(unlisted.outcome).toMatchObject({ id: undefined, wasSent: true });
    expect([listed.posts, unlisted.posts]).toEqual([1, 1]);
  });

  test.each([
    ["a page by its type", htmlPage, 'a web page, "Sign in"'],
    ["a page by its first bytes", statusAfter(200, page), 'a web page, "Sign in"'],
    ["an error", statusAfter(200, { body: { error: "quota exceeded" } }), "an error, quota exceeded"],
    ["a detail", statusAfter(202, { body: { detail: "no workspace" } }), "an error, no workspace"],
    ["an odd error", statusAfter(202, { body: { error: { code: 7 } } }), "an error as JSON, in `error`"],
  ])("that is none is red and is not sent again: %s", async (_, fault, what) => {
    const { error, posts } = await upload({ faults: [{ ...fault, processed: false }], onUnclear: "retry" });
    expect(error).toMatchObject({
      code: "EXPERIMENT_NOT_UPLOADED",
      message: expect.stringContaining(`returned an unexpected response body: ${what}.`) as string,
    });
    expect(posts).toBe(1);
  });
});

describe("a later attempt of a run", () => {
  test("sends nothing if an earlier one has stored the same", async () => {
    const service = await madeService();
    const experiment = ready("nightly", await read([RESULTS]), MARK);
    const terms = { timeoutMilliseconds: 60_000, mayBeStored: true };
    const client = uploads(service.url);
    expect(await client.upload(experiment, terms)).toMatchObject({ id: "new-1", wasSent: true });
    expect(await client.upload(experiment, terms)).toMatchObject({ id: "new-1", wasSent: false });
    const other = ready("nightly", await read([RESULTS]), "77:cd");
    expect(await client.upload(other, terms)).toMatchObject({ id: "new-2", wasSent: true });
    expect(service.posts()).toBe(2);
  });

  test("sends nothing where the list fails, and is red: nothing shows what an earlier one has stored", async () => {
    const service = await madeService();
    const experiment = ready("nightly", await read([RESULTS]), MARK);
    const client = uploads(service.url);
    await client.upload(experiment, { timeoutMilliseconds: 600_000 });
    service.front.script({ path: /sessions$/ }, status(503), 99);
    const again = client.upload(experiment, { timeoutMilliseconds: 600_000, mayBeStored: true });
    await expect(again).rejects.toMatchObject({ code: "EXPERIMENT_UNANSWERED" });
    expect(service.posts()).toBe(1);
  });

  test.each(["404", "another shape", "html", "unfiltered"] as const)("sends where the list is %s", async (list) => {
    const { outcome, posts } = await upload({ kind: { list }, mayBeStored: true });
    expect(outcome).toMatchObject({ id: "new-1", wasSent: true });
    expect(posts).toBe(1);
  });
});

test("without a mark nothing that is listed is taken for the upload", async () => {
  const service = await madeService();
  service.front.script(POST, statusAfter(502));
  const { mark: _, ...experiment } = ready("nightly", await read([RESULTS]), MARK);
  await expect(uploads(service.url).upload(experiment, { timeoutMilliseconds: 60_000 })).resolves.toMatchObject({
    id: "new-2",
  });
});
