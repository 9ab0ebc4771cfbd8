import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HostError } from "../../engine/host-error.ts";
import { API_KEY, DIRECTORY, IMAGE, machine, rig, secret, stepsOf, subject } from "./rig.ts";

const OF = subject("billing");

/** What a call failed with. */
async function failureOf(call: Promise<unknown>): Promise<HostError> {
  const failure = await call.catch((error: unknown) => error);
  if (failure instanceof HostError) return failure;
  throw new Error("the call did not fail", { cause: failure });
}

/** A plugin that is killed while it waits for the response to this request, which the service has carried out. */
async function killedAt(method: "PATCH" | "POST" | "PUT", path: string) {
  const own = machine();
  const started = await own.start();
  const there = await rig(Promise.resolve(started));
  const { service } = there;
  const killing = async (call: Promise<unknown>) => {
    const asked = () => service.requests.filter((request) => request.method === method).length;
    const before = asked();
    const failing = failureOf(call);
    await expect.poll(asked).toBeGreaterThan(before);
    started.plugin.kill();
    expect(await failing).toMatchObject({ status: 14, partial: undefined });
    service.faults.clear();
    const next = await own.start();
    await next.plugin.configure({ controlPlaneUrl: service.url, apiKey: secret(API_KEY) });
    return { ...next, ...stepsOf(next.plugin) };
  };
  const stall = () => {
    service.faults.add({ match: { method, path }, do: { kind: "stall", when: "after" } });
  };
  return { ...there, stall, killing };
}

test.each([
  ["its create", "POST", "/v2/deployments", { ...IMAGE, secrets: { TOKEN: secret("sk-plain-token") } }, ["POST"], true],
  ["its patch", "PATCH", "/v2/deployments/:id", DIRECTORY, ["POST", "POST", "PUT", "PATCH"], false],
] as const)(
  "a process that is killed after %s leaves what the next one takes up: one deployment, one revision",
  async (_, method, path, program, expected, adopted) => {
    const { plugin, service, checked, stall, killing, writes } = await killedAt(method, path);
    const inputs = await checked("billing", program);
    stall();
    const next = await killing(plugin.of(OF).create(inputs));
    const { id, outputs } = await next.created("billing", program);
    expect(service.deployments().map((one) => one.id)).toEqual([id]);
    expect(outputs).toMatchObject({
      status: "DEPLOYED",
      // Without the id from the service, it may be another user's.
      __internals: { adopted },
      latestRevisionId: service.revisions(id)[0]?.id,
    });
    expect(writes()).toEqual(expected);
  },
);

test("a process that is killed after the patch of an update leaves the revision of the same files", async () => {
  const { plugin, directory, service, checked, created, stall, killing, writes } = await killedAt(
    "PATCH",
    "/v2/deployments/:id",
  );
  const { id, outputs, inputs } = await created("billing", DIRECTORY);
  writeFileSync(join(directory, "added.py"), "x = 1\n");
  const changed = await checked("billing", DIRECTORY, inputs);
  stall();
  const next = await killing(plugin.of(OF).update(id, outputs, changed));
  const [before, revisions] = [writes(), service.revisions(id).length];
  writeFileSync(join(directory, "added.py"), "x = 1\n");
  const again = await next.checked("billing", DIRECTORY, inputs);
  expect(await next.plugin.of(OF).diff(id, outputs, again)).toMatchObject({ changes: "some" });
  const { outputs: updated } = await next.plugin.of(OF).update(id, outputs, again);
  expect(updated).toMatchObject({ status: "DEPLOYED", managedRevisionId: service.revisions(id)[0]?.id });
  expect(writes()).toEqual(before);
  expect(service.revisions(id)).toHaveLength(revisions);
});

test("an engine that is killed leaves no process behind, and the next one takes up what that had made", async () => {
  const own = machine();
  const started = await own.start({ isChild: true });
  const { plugin, lines, service, checked, writes } = await rig(Promise.resolve(started), {
    walkMilliseconds: 600_000,
  });
  const failing = failureOf(plugin.of(OF).create(await checked("billing", IMAGE)));
  await expect.poll(() => lines.some(({ message }) => message.startsWith("revision"))).toBe(true);
  plugin.kill();
  // This side stays connected, as no engine could.
  expect((await failing).partial).toMatchObject({ properties: { __internals: { pending: "wait" } } });
  // Resolves when the output of the plugin is closed: it has ended.
  await plugin[Symbol.asyncDispose]();

  const next = await own.start();
  await next.plugin.configure({ controlPlaneUrl: service.url, apiKey: secret(API_KEY) });
  const { id, outputs } = await stepsOf(next.plugin).created("billing", { ...IMAGE, wait: false });
  expect(outputs).toMatchObject({ __internals: { adopted: false }, managedRevisionId: service.revisions(id)[0]?.id });
  expect(writes()).toEqual(["POST"]);
});
