import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { LocalService } from "../../src/local/index.ts";
import { IMAGE } from "./context.ts";
import { ProviderRun, service, stackOf, writes } from "./provider-run.ts";
import { internalsOf } from "../../pulumi-provider/core/state/internals.ts";

const [OLD, NEW] = ["key-of-the-old-service-0123", "key-of-the-new-service-4567"];
const POST = "POST /v2/deployments";

const keysSeen = ({ requests }: LocalService) => new Set(requests.map(({ headers }) => headers["x-api-key"]));

/** Another address of a service. */
async function front({ url }: LocalService): Promise<string> {
  const server = createServer((request, response) => {
    const headers = { "x-api-key": String(request.headers["x-api-key"]) };
    void fetch(url + (request.url ?? ""), { method: request.method ?? "GET", headers }).then(async (answer) => {
      response.writeHead(answer.status, { "content-type": "application/json" });
      response.end(await answer.text());
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

test.each([
  ["the name of this machine", (url: URL) => `http://localhost:${url.port}`],
  ["the other address of this machine", (url: URL) => `http://[::1]:${url.port}`],
  ["another case and a slash", (url: URL) => `HTTP://LOCALHOST:${url.port}/`],
  ["a query and a fragment", (url: URL) => `${url.origin}/?a=b#c`],
])("an address that is spelt with %s leads to the same deployment, without a request", async (_what, spell) => {
  const there = await service(OLD);
  const made = await new ProviderRun(stackOf(there.url, OLD)).create(IMAGE);
  const before = there.requests.length;
  const run = new ProviderRun(stackOf(spell(new URL(there.url)), OLD));
  expect(await run.diff(made, IMAGE)).toMatchObject({ replaces: [] });
  const updated = await run.update(made, IMAGE);
  expect(there.requests.length).toBe(before);
  expect(await run.diff(updated, IMAGE)).toMatchObject({ changes: false });
});

test("a deployment that answers at the new address is the same: the state is written, and nothing is sent that writes", async () => {
  const there = await service(OLD);
  const made = await new ProviderRun(stackOf(there.url, OLD)).create(IMAGE);
  const before = writes(there);
  const url = await front(there);
  const run = new ProviderRun(stackOf(url, OLD));
  expect(await run.diff(made, IMAGE)).toMatchObject({ changes: true, replaces: [] });
  expect(run.messages).toContain("controlPlaneUrl changed; it leads to the same deployment.");
  const { id, outputs } = await run.update(made, IMAGE);
  expect(writes(there)).toEqual(before);
  expect({ id, url: outputs["controlPlaneUrl"] }).toEqual({ id: made.id, url });
});

test("a move to a service that answers with an error is refused, and changes nothing", async () => {
  const [from, to] = [await service(OLD), await service(NEW)];
  const made = await new ProviderRun(stackOf(from.url, OLD)).create(IMAGE);
  const run = new ProviderRun(stackOf(to.url, OLD));
  await expect(run.diff(made, IMAGE)).rejects.toThrow("401");
  expect(writes(from)).toEqual([POST]);
});

test("a move whose key changes too leaves the old deployment with a warning, and shows the old service no new key", async () => {
  const [from, to] = [await service(OLD), await service(NEW)];
  const made = await new ProviderRun(stackOf(from.url, OLD)).create(IMAGE);
  const run = new ProviderRun(stackOf(to.url, NEW));
  // As `pulumi up --refresh` does.
  expect(await run.read(made)).toEqual({ id: made.id, props: made.outputs });
  await run.diff(made, IMAGE);
  await run.create(IMAGE);
  await run.delete(made);
  expect(keysSeen(from)).toEqual(new Set([OLD]));
  expect(run.messages).toMatch(
    `warning: a: deployment ${made.id} stays in the service at ${from.url}: the current API key`,
  );
  expect(to.deployments()).toHaveLength(1);
  expect(from.deployments()).toHaveLength(1);
});

test.each([
  ["the program's own address", {}, (key: string) => ({ GRAPH_DEPLOY_API_KEY: key })],
  ["a credential of the same name", { credential: { env: "KEY" } }, (key: string) => ({ KEY: key })],
])("a refresh before the program runs shows the old service no new key: %s", async (_what, more, env) => {
  const [from, to] = [await service(OLD), await service(NEW)];
  const program = (controlPlaneUrl: string) => ({ ...IMAGE, ...more, controlPlaneUrl });
  const made = await new ProviderRun({ env: env(OLD) }).create(program(from.url));
  const run = new ProviderRun({ env: env(NEW) });
  expect(await run.read(made)).toEqual({ id: made.id, props: made.outputs });
  expect(run.messages).toContain(`warning: a: deployment ${made.id} at ${from.url} was not read: the current API key`);
  // The way out: the update works, and leaves the old deployment by its name.
  await run.diff(made, program(to.url));
  await run.create(program(to.url));
  await run.delete(made);
  expect(keysSeen(from)).toEqual(new Set([OLD]));
  expect(run.messages).toMatch(
    `warning: a: deployment ${made.id} stays in the service at ${from.url}: the current API key`,
  );
  expect(to.deployments()).toHaveLength(1);
});

test("a refresh sends a renewed key where its address stands beside it", async () => {
  const there = await service(OLD);
  const program = { ...IMAGE, controlPlaneUrl: there.url };
  const made = await new ProviderRun({ env: { GRAPH_DEPLOY_API_KEY: OLD } }).create(program);
  const run = new ProviderRun({ env: { GRAPH_DEPLOY_API_KEY: NEW, GRAPH_DEPLOY_URL: there.url } });
  await expect(run.read(made)).rejects.toThrow("401");
});

test("a move whose program names a key for the old address deletes there", async () => {
  const [from, to] = [await service(OLD), await service(NEW)];
  const env = { OLD_KEY: OLD, NEW_KEY: NEW };
  const program = (controlPlaneUrl: string, key: string) => ({ ...IMAGE, controlPlaneUrl, credential: { env: key } });
  const made = await new ProviderRun({ env }).create(program(from.url, "OLD_KEY"));
  const run = new ProviderRun({ env });
  await run.diff(made, program(to.url, "NEW_KEY"));
  await run.create(program(to.url, "NEW_KEY"));
  await run.delete(made);
  expect(keysSeen(from)).toEqual(new Set([OLD]));
  expect(from.deployments()).toEqual([]);
});

test.each([
  ["the same variable", { KEY: NEW }],
  ["a variable that is not set any more", {}],
])("a move shows the old service nothing that %s holds", async (_what, values) => {
  const [from, to] = [await service(OLD), await service(NEW)];
  const made = await new ProviderRun({ env: { KEY: OLD } }).create({
    ...IMAGE,
    controlPlaneUrl: from.url,
    credential: { env: "KEY" },
  });
  const run = new ProviderRun({ env: { ...values, OTHER: NEW } });
  const program = { ...IMAGE, controlPlaneUrl: to.url, credential: { env: "KEY" in values ? "KEY" : "OTHER" } };
  await run.diff(made, program);
  await run.create(program);
  await run.delete(made);
  expect(keysSeen(from)).toEqual(new Set([OLD]));
  expect(run.messages).toContain(`deployment ${made.id} stays in the service`);
});

test.each([
  ["of the stack", (url: string) => stackOf(url, NEW), { own: false }],
  ["of the program", () => stackOf("https://elsewhere.example", NEW), { own: true }],
  ["of the program alone", () => ({ env: { GRAPH_DEPLOY_API_KEY: NEW } }), { own: true }],
])("a key that is renewed at the address %s is used to delete", async (_whose, later, { own }) => {
  const first = await service(OLD);
  const program = { ...IMAGE, ...(own ? { controlPlaneUrl: first.url } : {}) };
  const setting = own ? stackOf("https://elsewhere.example", OLD) : stackOf(first.url, OLD);
  const made = await new ProviderRun(setting).create(program);
  // The service takes the new key alone, and says so of every request.
  const run = new ProviderRun(later(first.url));
  await expect(run.delete(made)).rejects.toThrow("401");
  expect(keysSeen(first)).toEqual(new Set([OLD, NEW]));
});

test("the state holds no key, and nothing that is quick to compare with one", async () => {
  const there = await service(OLD);
  const made = await new ProviderRun(stackOf(there.url, OLD)).create(IMAGE);
  expect(JSON.stringify(made.outputs)).not.toContain(OLD);
  expect(internalsOf(made.outputs).keyFingerprint).toEqual({ salt: expect.any(String), hash: expect.any(String) });
});

test("a state of the plugin gets the provider of dynamic resources by an update without a request, once", async () => {
  const there = await service(OLD);
  const run = new ProviderRun(stackOf(there.url, OLD));
  const ofPlugin = await run.create(IMAGE);
  expect(ofPlugin.outputs).not.toHaveProperty("__provider");
  expect((await run.diff(ofPlugin, IMAGE)).changes).toBe(false);
  const dynamic = { ...IMAGE, __provider: "exports.handler = …" };
  expect(await run.diff(ofPlugin, dynamic)).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
  const asked = there.requests.length;
  const { id, outputs } = await run.update(ofPlugin, dynamic);
  expect(there.requests).toHaveLength(asked);
  // The host adds the provider to what an update returns.
  expect((await run.diff({ id, outputs: { ...outputs, __provider: "…" } }, dynamic)).changes).toBe(false);
});
