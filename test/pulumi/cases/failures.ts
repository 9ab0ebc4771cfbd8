import { expect } from "vitest";
import { uploadRefused } from "../../../src/local/index.ts";
import { folder, image } from "../program.ts";
import { failure, outputsOf, succeeded } from "../stage.ts";
import type { Case } from "./case.ts";

const CREATE = { method: "POST", path: "/v2/deployments" } as const;

/** What goes wrong in an up, and what the next one makes of it. */
export const FAILURES: readonly Case[] = [
  {
    name: "a build that fails keeps the deployment, and the next up makes one revision of it",
    run: async (stage) => {
      stage.service.faults.nextRevision({ end: "BUILD_FAILED", log: ["pip: no matching distribution"] });
      await stage.describe(folder("support"));
      const said = failure(await stage.up());
      const { id } = stage.deployment("support");
      expect(said).toContain("BUILD_FAILED");
      const failed = await stage.resource("support");
      expect(failed).toMatchObject({ id, outputs: { status: "BUILD_FAILED", __internals: { pending: "revision" } } });
      expect(failed.initErrors.join()).toContain("BUILD_FAILED");
      const revisions = stage.revisions("support").length;
      stage.asked();

      expect(outputsOf(succeeded(await stage.up()), "support")).toMatchObject({ id, status: "DEPLOYED" });
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      expect(stage.revisions("support")).toHaveLength(revisions + 1);
      const healthy = await stage.resource("support");
      expect(healthy.initErrors).toEqual([]);
      expect(healthy.outputs["__internals"]).not.toHaveProperty("pending");
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "a wait that is too long fails, and the next up takes up the same revision",
    run: async (stage) => {
      stage.service.faults.nextRevision({ hold: "DEPLOYING" });
      await stage.describe(image("billing", { timeoutSeconds: 5 }));
      const said = failure(await stage.up());
      expect(said).toMatch(/DEPLOYING/);
      const [revision] = stage.revisions("billing");
      expect(await stage.resource("billing")).toMatchObject({
        id: stage.deployment("billing").id,
        outputs: { managedRevisionId: revision?.id, __internals: { pending: "wait" } },
      });
      stage.asked();

      stage.service.faults.revisions.release();
      const up = succeeded(await stage.up());
      expect(outputsOf(up, "billing")).toMatchObject({ managedRevisionId: revision?.id, status: "DEPLOYED" });
      expect(stage.changed()).toEqual([]);
      expect(stage.revisions("billing")).toHaveLength(1);
    },
  },
  {
    name: "Pulumi's own customTimeouts end a wait",
    run: async (stage) => {
      stage.service.faults.nextRevision({ hold: "DEPLOYING" });
      await stage.describe(image("billing", {}, { options: { customTimeouts: { create: "5s" } } }));
      expect(failure(await stage.up())).toMatch(/DEPLOYING/);
      stage.service.faults.revisions.release();
      succeeded(await stage.up());
      expect(stage.revisions("billing")).toHaveLength(1);
    },
  },
  {
    name: "an upload that is refused keeps the deployment, and the next up uploads",
    run: async (stage) => {
      stage.service.faults.add(uploadRefused(Number.POSITIVE_INFINITY));
      await stage.describe(folder("support"));
      const said = failure(await stage.up());
      const { id } = stage.deployment("support");
      expect(said).toContain(id);
      expect(await stage.resource("support")).toMatchObject({ id, outputs: { __internals: { pending: "revision" } } });
      stage.asked();

      stage.service.faults.clear();
      expect(outputsOf(succeeded(await stage.up()), "support")).toMatchObject({ id, status: "DEPLOYED" });
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
    },
  },
  {
    name: "a create whose answer is lost leaves one deployment, and the state knows it",
    run: async (stage) => {
      stage.service.faults.add({ match: CREATE, do: { kind: "reset", when: "after" } });
      await stage.describe(image("billing"));
      const first = await stage.up();
      const { id } = stage.deployment("billing");
      expect(await stage.resource("billing")).toMatchObject({ id });
      if (!first.ok) expect(failure(first)).toContain("billing");

      succeeded(await stage.up());
      expect(await stage.resource("billing")).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
      expect(stage.service.deployments()).toHaveLength(1);
      expect(stage.changed().filter((request) => request === "POST /v2/deployments")).toHaveLength(1);
    },
  },
  {
    name: "a create that is refused leaves nothing, and the next up creates",
    run: async (stage) => {
      const refusal = { kind: "answer", status: 422, body: { detail: "the quota is used up" } } as const;
      stage.service.faults.add({ match: CREATE, do: refusal });
      await stage.describe(image("billing"));
      const said = failure(await stage.up());
      expect(said).toContain('"billing" was not created');
      expect(said).toContain("the quota is used up");
      expect(await stage.find("billing")).toBeUndefined();
      expect(stage.service.deployments()).toEqual([]);
      expect(succeeded(await stage.up()).changes).toEqual({ create: 1 });
    },
  },
  {
    name: "an update that fails keeps the old inputs and what is true, and the next up ends it",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      stage.service.faults.nextRevision({ end: "DEPLOY_FAILED" });
      await stage.describe(image("billing", { imageUri: "registry.example/agent:2" }));
      expect(failure(await stage.up())).toContain("DEPLOY_FAILED");
      const [failed] = stage.revisions("billing");
      const half = await stage.resource("billing");
      expect(half.inputs).toMatchObject({ imageUri: "registry.example/agent:1" });
      expect(half.outputs).toMatchObject({ imageUri: "registry.example/agent:2", status: "DEPLOY_FAILED" });
      expect(half.outputs).toMatchObject({ managedRevisionId: failed?.id });

      stage.asked();
      const up = succeeded(await stage.up());
      expect(up.changes).toEqual({ update: 1 });
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      expect(stage.revisions("billing")).toHaveLength(3);
      const whole = await stage.resource("billing");
      expect(whole.inputs).toMatchObject({ imageUri: "registry.example/agent:2" });
      expect(whole.outputs).toMatchObject({ status: "DEPLOYED" });
    },
  },
  {
    name: "a program that goes back after a failed update gets a revision of what it was",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      stage.service.faults.nextRevision({ end: "DEPLOY_FAILED" });
      await stage.describe(image("billing", { imageUri: "registry.example/agent:2" }));
      failure(await stage.up());
      await stage.deploy(image("billing"));
      expect(stage.deployment("billing").source_revision_config.image_uri).toBe("registry.example/agent:1");
      expect(stage.revisions("billing")[0]?.status).toBe("DEPLOYED");
    },
  },
  {
    // How long each of them takes is tested on a clock of its own.
    name: "a service that takes connections and never answers ends an up, a refresh and a destroy, and the state stays",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const { id } = stage.deployment("billing");
      const silence = { match: { server: "service" }, times: Number.POSITIVE_INFINITY, do: { kind: "stall" } } as const;
      const silent = stage.service.faults.add(silence);
      await stage.describe(image("billing"), image("tools"));
      const ends = [await stage.up(), await stage.refresh(), await stage.destroy()];
      for (const end of ends) expect(failure(end)).toMatch(/did not respond within|may or may not/);
      silent.remove();
      expect(await stage.resource("billing")).toMatchObject({ id });
      succeeded(await stage.up());
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "one deployment that fails does not keep the others from being known",
    run: async (stage) => {
      stage.service.faults.nextRevision({ end: "DEPLOY_FAILED" });
      await stage.describe(image("one"), image("two"), image("three"));
      expect(failure(await stage.up({ continueOnError: true }))).toContain("DEPLOY_FAILED");
      for (const name of ["one", "two", "three"]) {
        expect(await stage.resource(name)).toMatchObject({ id: stage.deployment(name).id });
      }
      stage.asked();
      succeeded(await stage.up());
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
    },
  },
];
