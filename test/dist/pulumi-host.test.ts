import { STATE_VERSION } from "../../pulumi-provider/core/state/internals.ts";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { propertyRuns } from "../property-runs.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { PROVIDER_TEXTS } from "../../pulumi-provider/provider-text.ts";
import { isSentence } from "../wire/texts-of.ts";
import { builtPackage } from "./built-package.ts";
import type { Consumer } from "./consumer.ts";
import { CUTS, cutKeys } from "./cut-answers.ts";
import {
  API_KEY,
  HostRig,
  IMAGE,
  ofDeployment,
  partial,
  PATIENCE,
  refusal,
  type HostRigOptions,
} from "./pulumi-host-rig.ts";

const FOLDER = { name: "f", source: "internal_source", directory: { path: "agent" } } as const;
const PROVIDER = PROVIDER_TEXTS.deployment;

let built: Consumer;
beforeAll(async () => {
  built = await builtPackage();
});

const start = (options?: HostRigOptions) => HostRig.forTest(built.directory, options);

test("calls that come while the host is configured all see the configuration", async () => {
  const rig = await start({ isConfigured: false });
  const configured = rig.configure();
  const names = ["a", "b", "c", "d", "e", "f"];
  const created = await Promise.all(names.map((name) => rig.create({ ...IMAGE, name })));
  await configured;
  expect(new Set(created.map(({ id }) => id))).toEqual(new Set(rig.service.deployments().map(({ id }) => id)));
});

describe("with one host", () => {
  let rig: HostRig;
  beforeAll(async () => {
    rig = await HostRig.start(built.directory, { env: { TOKEN: "value-of-the-token" } });
  });
  afterAll(async () => rig.close());

  test("whatever the service leaves out of its answers, what comes out can be kept", async () => {
    const edits = fc.uniqueArray(fc.constantFrom(...CUTS), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(edits, fc.uuid(), async (cut, name) => {
        const handle = rig.service.faults.add({
          match: { server: "service" },
          times: 10_000,
          do: { kind: "edit", edit: (json) => cutKeys(json, cut) },
        });
        const inputs = await rig.checked({ ...IMAGE, name, timeoutSeconds: 1 });
        const call = rig.host.create(inputs);
        const kept = await call.catch(async () => {
          const failed = await partial(call);
          expect(failed.reasons).toEqual([expect.toSatisfy(isSentence)]);
          return { id: failed.id, outputs: failed.properties };
        });
        expect(rig.service.deployments().map(({ id }) => id)).toContain(kept.id);
        expect(kept.outputs).toMatchObject({ __provider: PROVIDER, name });
        const read = await rig.host.read(kept.id, kept.outputs);
        expect(read.outputs).toMatchObject({ __provider: PROVIDER, name });
        expect(await rig.host.diff(kept.id, read.outputs, inputs)).not.toMatchObject({ changes: "unknown" });
        handle.remove();
        await rig.host.delete(kept.id, read.outputs);
      }),
      { numRuns: propertyRuns(0.08) },
    );
  });

  test("what is refused is reported without a value of a secret", async () => {
    const before = rig.lines.length;
    const secret = "sk-plain-0123456789";
    const { failures } = await rig.host.check(
      {},
      ofDeployment({
        name: secret,
        source: "github",
        imageUri: `registry/${secret}:1`,
        repoRef: `${secret}\n`,
        adopt: secret,
        onDelete: [secret],
        secrets: { [secret]: "x", A: secret, PORT: secret, B: "" },
        secretsFromEnv: { A: "TOKEN", C: secret },
        sourceConfig: { build_on_push: secret },
        credential: { env: secret, config: secret },
        [secret]: 1,
        apiKey: secret,
      }),
    );
    expect(failures.length).toBeGreaterThan(8);
    expect(JSON.stringify(failures)).not.toMatch(/sk-plain|value-of-the-token/);
    // The engine prints the value of the property that a failure names.
    expect(failures.filter(({ property }) => property !== "")).toEqual([]);
    for (const { reason } of failures) expect(reason).toSatisfy(isSentence);
    expect(rig.lines.slice(before)).toEqual([]);
  });

  test("state of a later version is refused by everything that reads it", async () => {
    const { id, outputs } = await rig.create({ ...IMAGE, name: "later" });
    const olds = { ...outputs, __internals: { stateVersion: STATE_VERSION + 1 } };
    const news = await rig.checked({ ...IMAGE, name: "later" });
    const { host } = rig;
    const before = rig.service.requests.length;
    const calls = [host.diff(id, olds, news), host.read(id, olds), host.update(id, olds, news), host.delete(id, olds)];
    for (const error of await Promise.all(calls.map(refusal))) {
      expect(error.message).toMatch(/written by a later version.*Upgrade the package/);
      expect(error.partial).toBeUndefined();
    }
    expect(rig.service.requests.length).toBe(before);
  });

  test("an error is one line, and nothing of it is a stack", async () => {
    const { id, outputs } = await rig.create({ ...IMAGE, name: "refused" });
    const handle = rig.service.faults.add({
      times: 100,
      do: { kind: "answer", status: 403, body: { detail: API_KEY } },
    });
    const before = rig.lines.length;
    const calls = [rig.host.read(id, outputs), rig.host.delete(id, outputs)];
    for (const { message } of await Promise.all(calls.map(refusal))) {
      expect(message).toSatisfy(isSentence);
      expect(message).toContain("403");
      expect(message).not.toContain(API_KEY);
    }
    handle.remove();
    // The host prints what it refuses.
    await vi.waitFor(() => {
      const printed = rig.lines.slice(before).map(({ message }) => message);
      expect(printed).toEqual([expect.toSatisfy(isSentence), expect.toSatisfy(isSentence)]);
    }, PATIENCE);
    await rig.host.delete(id, outputs);
  });

  test("a request that is sent again is reported while the create runs", async () => {
    rig.service.faults.add({ match: { method: "GET" }, do: { kind: "answer", status: 503 } });
    await rig.create({ ...IMAGE, name: "again" });
    expect(rig.told()).toMatch(/GET http\S+: .*503.*; attempt 2 of \d/);
  });

  test("creates of one folder at the same time each upload it, and leave no archive behind", async () => {
    const names = Array.from({ length: 10 }, (_, index) => `many-${String(index)}`);
    const created = await Promise.all(names.map((name) => rig.create({ ...FOLDER, name })));
    expect(new Set(created.map(({ id }) => id)).size).toBe(names.length);
    expect(new Set(created.map(({ outputs }) => outputs["sourceHash"])).size).toBe(1);
    const uploads = rig.service.requests.filter(({ method }) => method === "PUT");
    expect(uploads).toHaveLength(names.length);
    // The marks that tell other processes who holds a deployment stay until the host ends.
    const left = readdirSync(rig.temporaryDirectory).filter((name) => !/^graph-deploy-\d*$/.test(name));
    expect(left).toEqual([]);
  });

  test("the key and the values of the environment are in nothing that came out", async () => {
    const created = await rig.create({
      ...IMAGE,
      name: "quiet",
      secretsFromEnv: { A: "TOKEN" },
      secrets: { B: "sk-b-012345" },
    });
    const read = await rig.host.read(created.id, created.outputs);
    const { secrets: _mine, ...outputs } = read.outputs;
    const texts = JSON.stringify([{ ...created.outputs, secrets: 0 }, outputs]) + rig.told();
    expect(texts).not.toMatch(new RegExp(`${API_KEY}|value-of-the-token|sk-b-012345`));
  });
});

test("a create that waits ends with the process, which is asked to end", async () => {
  // A revision that is live at once cannot be held.
  const rig = await start({ service: { walkMilliseconds: 20 } });
  rig.service.faults.nextRevision({ hold: "DEPLOYING" });
  const left = partial(rig.create({ ...IMAGE, name: "held" }));
  await vi.waitFor(() => expect(rig.told()).toMatch(/held: .*DEPLOYING/), PATIENCE);
  await rig.host.terminate();
  const { properties } = await left;
  expect(properties).toMatchObject({ __provider: PROVIDER, __internals: { pending: "wait" } });
});

test("a proxy variable that is no address is reported in one sentence", async () => {
  const rig = await start({ env: { HTTPS_PROXY: "not an address", HTTP_PROXY: "not an address" } });
  const { message, partial: left } = await refusal(rig.create(IMAGE));
  expect(message).toMatch(/^The environment variable HTTPS?_PROXY .+\.$/);
  expect(message).toSatisfy(isSentence);
  expect(left).toBeUndefined();
  expect(rig.service.deployments()).toEqual([]);
});
