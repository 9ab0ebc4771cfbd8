import { expect, test } from "vitest";
import { withInternals } from "../../pulumi-provider/core/state/internals.ts";
import type { Properties } from "../../pulumi-provider/core/state/state.ts";
import { HostError } from "../../pulumi-provider/host-error.ts";
import type { LocalService } from "../../src/local/index.ts";
import { IMAGE } from "./context.ts";
import { ProviderRun, service, stackOf, type Kept } from "./provider-run.ts";

const KEY = "key-of-the-drift-0123456789";
const EVIL = { source_revision_config: { image_uri: "evil:1" } };

/** What another user does. */
async function patched({ url }: LocalService, id: string, body: object): Promise<void> {
  const headers = { "x-api-key": KEY, "content-type": "application/json" };
  const answer = await fetch(`${url}/v2/deployments/${id}`, { method: "PATCH", headers, body: JSON.stringify(body) });
  expect(answer.ok).toBe(true);
}

/** A deployment of this program, and runs on its stack. */
async function deployed(program: Properties) {
  const there = await service(KEY);
  const run = () => new ProviderRun(stackOf(there.url, KEY));
  const made = await run().create(program);
  const refreshed = async (kept: Kept) => {
    const { props = {}, inputs } = await run().read(kept);
    return { id: kept.id, outputs: props, inputs };
  };
  return { there, run, made, refreshed };
}

test(
  "what was set back outside is shown as it is, and the revision still counts as theirs",
  { tags: "slow" },
  async () => {
    const { there, run, made, refreshed } = await deployed(IMAGE);
    await patched(there, made.id, EVIL);
    const seen = await refreshed(made);
    await patched(there, made.id, { source_revision_config: { image_uri: IMAGE.imageUri } });
    const back = await refreshed(seen);
    expect(back.outputs).toMatchObject({ imageUri: IMAGE.imageUri });
    expect(back.inputs).toMatchObject({ imageUri: IMAGE.imageUri });
    expect(await run().diff(back, IMAGE)).toMatchObject({ changes: true });
  },
);

test("where a program leaves others alone, its state keeps what it has set", async () => {
  const program = { ...IMAGE, revisionDrift: "ignore" };
  const { there, run, made, refreshed } = await deployed(program);
  await patched(there, made.id, { ...EVIL, source_config: { build_command: "x" } });
  const seen = await refreshed(made);
  expect(seen.outputs).toMatchObject({ imageUri: IMAGE.imageUri });
  expect(seen.inputs).toBeUndefined();
  expect(await run().diff(seen, program)).toMatchObject({ changes: false });
});

test("an update that did not come through is compared with what runs, too", async () => {
  const { there, run, made, refreshed } = await deployed(IMAGE);
  there.faults.add({ match: { method: "PATCH" }, do: { kind: "answer", status: 400, body: { detail: "no" } } });
  const failed: unknown = await run()
    .update(made, { ...IMAGE, imageUri: "registry/agent:2" })
    .catch((error: unknown) => error);
  const outputs = failed instanceof HostError ? (failed.properties ?? {}) : {};
  expect(outputs).toMatchObject({ imageUri: "registry/agent:2", __internals: { pending: "revision" } });
  const seen = await refreshed({ id: made.id, outputs });
  expect(seen.outputs).toMatchObject({ imageUri: IMAGE.imageUri });
});

test("a revision of ours that was not seen through is waited for, in whatever form the service writes its image", async () => {
  const program = { ...IMAGE, imageUri: `docker.io/${IMAGE.imageUri}` };
  const { run, made, refreshed } = await deployed(IMAGE);
  const outputs = withInternals({ ...made.outputs, imageUri: program.imageUri }, { pending: "wait" });
  const seen = await refreshed({ id: made.id, outputs });
  expect(seen.outputs).toMatchObject({ imageUri: program.imageUri });
  const next = run();
  expect(await next.diff(seen, program)).toMatchObject({ changes: true });
  expect(next.messages).toMatch(/info: .*the last update did not finish\.$/m);
  expect(next.messages).not.toContain("imageUri");
});
