import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { startLocalService } from "../../../src/local/index.ts";
import type { RunResult } from "../../engine/stack.ts";
import { folder, image } from "../program.ts";
import { API_KEY, failure, succeeded, messagesOf } from "../stage.ts";
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
    name: "another control plane is another deployment, made before the old one is deleted where it was",
    run: async (stage) => {
      await using other = await startLocalService({ walkMilliseconds: 4, apiKey: API_KEY });
      await stage.deploy(image("billing"));
      const up = await stage.deploy(image("billing", { controlPlaneUrl: other.url }));
      expect(ops(up)).toEqual(AFTER);
      expect(stage.service.deployments()).toEqual([]);
      expect(other.deployments().map(({ name }) => name)).toEqual(["billing"]);

      // The stack's configuration names another service too, but this resource has its own.
      await stage.stack.setConfig("graph-deploy:controlPlaneUrl", "https://control.example");
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "another spelling of the control plane is the same deployment, without a request",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const { id } = stage.deployment("billing");
      stage.asked();
      const url = stage.service.url.replace("127.0.0.1", "LocalHost");
      await stage.stack.setConfig("graph-deploy:controlPlaneUrl", `${url}/`);
      expect(succeeded(await stage.up()).changes).toEqual({ update: 1 });
      expect(stage.asked()).toEqual([]);
      expect(await stage.resource("billing")).toMatchObject({ id });
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "a move to a service that refuses leaves the deployment where it is",
    run: async (stage) => {
      await using other = await startLocalService({ walkMilliseconds: 4, apiKey: API_KEY });
      await stage.deploy(image("billing"));
      stage.asked();
      const refusal = { kind: "answer", status: 422, body: { detail: "the quota is used up" } } as const;
      other.faults.add({ match: { method: "POST", path: "/v2/deployments" }, do: refusal });
      await stage.stack.setConfig("graph-deploy:controlPlaneUrl", other.url);
      expect(failure(await stage.up())).toContain("the quota is used up");
      expect(stage.asked()).toEqual([]);
      expect(stage.deployment("billing").name).toBe("billing");

      expect(ops(succeeded(await stage.up()))).toEqual(AFTER);
      expect(stage.service.deployments()).toEqual([]);
      expect(other.deployments().map(({ name }) => name)).toEqual(["billing"]);
    },
  },
  {
    name: "a move with a new key never shows it to the old control plane, and leaves the deployment there with a warning",
    run: async (stage) => {
      const apiKey = "sk-plain-of-the-new-place";
      await using other = await startLocalService({ walkMilliseconds: 4, apiKey });
      await stage.deploy(image("billing"));
      const { id } = stage.deployment("billing");
      await stage.stack.setConfig("graph-deploy:controlPlaneUrl", other.url);
      await stage.stack.setConfig("graph-deploy:apiKey", apiKey, { secret: true });
      const up = succeeded(await stage.up());
      expect(messagesOf(up)).toContain(`deployment ${id} stays in the service at ${stage.service.url}`);
      expect(stage.deployment("billing").id).toBe(id);
      expect(other.deployments().map(({ name }) => name)).toEqual(["billing"]);
      const keys = stage.service.requests.map(({ headers }) => headers["x-api-key"]);
      expect(new Set(keys)).toEqual(new Set([API_KEY]));
      expect(await stage.stack.exported()).toMatchObject({ resources: [{ name: "billing", deleting: false }] });
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
      const more = { options: { replaceOnChanges: ["imageUri", "sourceConfig.resource_spec.cpu"] } };
      const sized = (cpu: number, memory: number) => ({ sourceConfig: { resource_spec: { cpu, memory } } });
      await stage.deploy(image("billing", sized(1, 1), more));
      const { id } = stage.deployment("billing");
      expect((await stage.deploy(image("billing", sized(1, 2), more))).changes).toEqual({ update: 1 });
      expect(stage.deployment("billing").id).toBe(id);
      const up = await stage.deploy(image("billing", sized(2, 2), more));
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
