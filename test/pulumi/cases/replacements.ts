import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { startLocalService } from "../../../src/local/index.ts";
import type { RunResult } from "../../engine/stack.ts";
import { folder, image } from "../program.ts";
import { API_KEY, failure, succeeded } from "../stage.ts";
import type { Case } from "./case.ts";

const AFTER = ["create-replacement", "replace", "delete-replaced"];
const BEFORE = ["delete-replaced", "replace", "create-replacement"];
const ops = ({ steps }: RunResult) => steps.map(({ op }) => op);

/** What makes another deployment of a resource. */
export const REPLACEMENTS: readonly Case[] = [
  {
    name: "another name is another deployment, and the old one goes after it is there",
    run: async (stage) => {
      await stage.deploy(image("billing", { name: "old" }));
      const old = stage.deployment("old");
      stage.asked();
      await stage.describe(image("billing", { name: "new" }));
      expect(succeeded(await stage.preview()).changes).toEqual({ replace: 1 });
      expect(stage.asked()).toEqual([]);

      const up = succeeded(await stage.up());
      expect(ops(up)).toEqual(AFTER);
      expect(stage.changed()).toEqual(["POST /v2/deployments", "DELETE /v2/deployments/ID"]);
      expect(stage.service.deployments().map(({ name }) => name)).toEqual(["new"]);
      expect(stage.deployment("new").id).not.toBe(old.id);
    },
  },
  {
    name: "another source is another deployment, and the old one goes first because the name is the same",
    run: async (stage) => {
      await stage.deploy(image("support"));
      const { id } = stage.deployment("support");
      stage.asked();
      const up = await stage.deploy(folder("support"));
      expect(ops(up)).toEqual(BEFORE);
      expect(up.changes).toEqual({ replace: 1 });
      expect(stage.changed().slice(0, 2)).toEqual(["DELETE /v2/deployments/ID", "POST /v2/deployments"]);
      expect(stage.deployment("support")).toMatchObject({ source: "internal_source" });
      expect(stage.deployment("support").id).not.toBe(id);
    },
  },
  {
    name: "another control plane is another deployment, and the old one is deleted where it was",
    run: async (stage) => {
      await using other = await startLocalService({ walkMilliseconds: 4, apiKey: API_KEY });
      await stage.deploy(image("billing"));
      const up = await stage.deploy(image("billing", { controlPlaneUrl: other.url }));
      expect(ops(up)).toEqual(BEFORE);
      expect(stage.service.deployments()).toEqual([]);
      expect(other.deployments().map(({ name }) => name)).toEqual(["billing"]);

      // The stack's configuration names another service too, but this resource has its own.
      await stage.stack.setConfig("graph-deploy:controlPlaneUrl", "https://control.example");
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "another workspace is another deployment",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const tenantId = randomUUID();
      const up = await stage.deploy(image("billing", { tenantId }));
      expect(ops(up)).toEqual(BEFORE);
      const creates = stage.service.requests.filter(({ method }) => method === "POST");
      expect(creates.map(({ headers }) => headers["x-tenant-id"])).toEqual([undefined, tenantId]);
    },
  },
  {
    name: "replaceOnChanges replaces for the inputs that it names, and updates for others",
    run: async (stage) => {
      const more = { options: { replaceOnChanges: ["imageUri"] } };
      await stage.deploy(image("billing", {}, more));
      const { id } = stage.deployment("billing");
      const triggers = ["again"];
      expect((await stage.deploy(image("billing", { triggers }, more))).changes).toEqual({ update: 1 });
      expect(stage.deployment("billing").id).toBe(id);
      const up = await stage.deploy(image("billing", { triggers, imageUri: "registry.example/agent:2" }, more));
      expect(ops(up)).toEqual(BEFORE);
      expect(stage.deployment("billing").id).not.toBe(id);
    },
  },
  {
    name: "a replacement whose second half fails is finished by the next up",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const refusal = { kind: "answer", status: 422, body: { detail: "the quota is used up" } } as const;
      stage.service.faults.add({ match: { method: "POST", path: "/v2/deployments" }, do: refusal });
      await stage.describe(folder("billing"));
      expect(failure(await stage.up())).toContain("the quota is used up");
      expect(stage.service.deployments()).toEqual([]);

      succeeded(await stage.up());
      expect(stage.deployment("billing")).toMatchObject({ source: "internal_source" });
      expect(await stage.stack.exported()).toMatchObject({ resources: [{ name: "billing", deleting: false }] });
    },
  },
];
