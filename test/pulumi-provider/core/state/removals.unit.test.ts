import { describe, expect, test } from "vitest";
import { removalsBetween, stayingNote } from "../../../../pulumi-provider/core/state/removals.ts";
import { PartialFailure } from "../../../../pulumi-provider/core/operations/outputs.ts";
import { read } from "../../../../pulumi-provider/core/operations/read.ts";
import { IMAGE, UNKNOWN } from "../../context.ts";
import { rig } from "../../rig.ts";
import { internalsOf } from "../../../../pulumi-provider/core/state/internals.ts";

const SETTINGS = { ...IMAGE, sourceConfig: { install_command: "npm ci", build_command: "npm run build" } };
const WITHOUT = { ...IMAGE, sourceConfig: { install_command: "npm ci" } };
const SECRETS = { ...IMAGE, secrets: { A: "value-of-a", B: "value-of-b" } };
const KEPT = /^sourceConfig\.build_command stays in the service/;

type Rig = Awaited<ReturnType<typeof rig>>;

/** A service whose answers show a setting as it was, whatever is sent. */
function keepSetting({ service }: Rig) {
  return service.faults.add({
    match: { server: "service", method: "GET", path: /^\/v2\/deployments\/[^/]+$/ },
    times: Number.POSITIVE_INFINITY,
    do: {
      kind: "edit",
      edit: (json) => {
        const { source_config: shown, ...rest } = json as { source_config: object };
        return { ...rest, source_config: { ...shown, build_command: "npm run build" } };
      },
    },
  });
}

describe("a setting that leaves the program", () => {
  test.each([WITHOUT, IMAGE])("is removed from the service with the next revision: %j", async (next) => {
    const steps = await rig();
    const created = await steps.create(SETTINGS);
    expect(await steps.diff(created, next)).toMatchObject({
      work: "revision",
      reasons: expect.arrayContaining([expect.stringContaining("sourceConfig.build_command is no longer set")]),
    });
    const updated = await steps.update(created, next);
    expect(steps.service.deployments()[0]?.source_config["build_command"] ?? null).toBeNull();
    expect(internalsOf(updated.properties)).not.toHaveProperty("removals");
    expect(await steps.diff(updated, next)).toMatchObject({ changes: false });
    // What is null already is not sent again.
    const triggered = await steps.update(updated, { ...next, triggers: [1] });
    expect(steps.service.requests.findLast(({ method }) => method === "PATCH")?.json).not.toHaveProperty(
      "source_config",
    );
    expect(internalsOf(triggered.properties)).not.toHaveProperty("removals");
  });

  test("and that the service keeps is reported, in the update and at each refresh until it is gone", async () => {
    const steps = await rig();
    const created = await steps.create(SETTINGS);
    const keeping = keepSetting(steps);
    const updated = await steps.update(created, WITHOUT);
    expect(steps.warnings).toEqual([expect.stringMatching(KEPT)]);
    expect(await steps.diff(updated, WITHOUT)).toMatchObject({ changes: false });
    expect(stayingNote(updated.properties, WITHOUT)).toMatch(KEPT);
    const refreshed = await read(updated.id, updated.properties, steps.operation);
    expect(refreshed).toMatchObject({
      __internals: { drift: [], removals: { kept: { settings: ["build_command"] } } },
    });
    keeping.remove();
    const seen = await read(updated.id, updated.properties, steps.operation);
    expect(internalsOf(seen ?? {})).not.toHaveProperty("removals");
  });

  test("and that the service refuses to remove does not fail the update", async () => {
    const steps = await rig();
    const created = await steps.create(SETTINGS);
    const refusal = { kind: "answer", status: 422, body: { detail: "build_command may not be null" } } as const;
    steps.service.faults.add({ match: { method: "PATCH" }, do: refusal });
    const updated = await steps.update(created, { ...WITHOUT, imageUri: "registry/agent:2" });
    expect(steps.warnings).toEqual([
      expect.stringContaining("rejected the removal of sourceConfig.build_command"),
      expect.stringMatching(KEPT),
    ]);
    expect(steps.service.deployments()[0]?.source_revision_config.image_uri).toBe("registry/agent:2");
    expect(updated.properties).toMatchObject({ __internals: { removals: { kept: { settings: ["build_command"] } } } });
    expect(await steps.diff(updated, { ...WITHOUT, imageUri: "registry/agent:2" })).toMatchObject({ changes: false });
  });

  test("is removed by the next update when this one fails before", async () => {
    const steps = await rig();
    const created = await steps.create(SETTINGS);
    steps.service.faults.add({ match: { method: "PATCH" }, do: { kind: "answer", status: 403 } });
    const failed = await steps.update(created, WITHOUT).catch((error: unknown) => error);
    if (!(failed instanceof PartialFailure)) throw new Error("there was no partial failure", { cause: failed });
    await steps.update(failed, WITHOUT);
    expect(steps.service.deployments()[0]?.source_config["build_command"] ?? null).toBeNull();
  });

  test("and comes back is set again, and no longer reported", async () => {
    const steps = await rig();
    const created = await steps.create(SETTINGS);
    const keeping = keepSetting(steps);
    const updated = await steps.update(created, WITHOUT);
    keeping.remove();
    const again = await steps.update(updated, SETTINGS);
    expect(internalsOf(again.properties)).not.toHaveProperty("removals");
    expect(steps.service.deployments()[0]?.source_config["build_command"]).toBe("npm run build");
  });
});

describe("secrets that leave the program", () => {
  test("and that the service keeps are reported, and are no drift", async () => {
    const steps = await rig();
    const created = await steps.create(SECRETS);
    steps.service.faults.add({
      match: { server: "service", method: "GET", path: /^\/v2\/deployments\/[^/]+$/ },
      times: Number.POSITIVE_INFINITY,
      do: { kind: "edit", edit: (json) => ({ ...(json as object), secrets: [{ name: "A" }, { name: "B" }] }) },
    });
    const next = { ...IMAGE, secrets: { A: "value-of-a" } };
    const updated = await steps.update(created, next);
    expect(steps.warnings).toEqual([expect.stringMatching(/^the secret B stays in the service/)]);
    expect(await read(updated.id, updated.properties, steps.operation)).toMatchObject({ __internals: { drift: [] } });
  });
});

test.each([
  { sourceConfig: UNKNOWN, secrets: UNKNOWN },
  { sourceConfig: UNKNOWN, secretsFromEnv: UNKNOWN },
])("nothing is removed for what is not known yet: %j", (unknown) => {
  const before = { ...SETTINGS, ...SECRETS, sourceConfig: SETTINGS.sourceConfig };
  expect(removalsBetween(before, { ...IMAGE, ...unknown })).toEqual({ settings: [], secrets: [] });
});
