import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { failure, messagesOf, succeeded } from "../stage.ts";
import type { Case } from "./case.ts";

/** How deployments go. */
export const DESTROYS: readonly Case[] = [
  {
    name: "a destroy deletes what the program made, and what is gone already is a success",
    run: async (stage) => {
      await stage.deploy(image("billing"), folder("support"));
      await stage.foreign("DELETE", `/v2/deployments/${stage.deployment("billing").id}`);
      const destroyed = succeeded(await stage.destroy());
      expect(destroyed.changes).toEqual({ delete: 2 });
      expect(stage.service.deployments()).toEqual([]);
      expect((await stage.stack.exported()).resources).toEqual([]);
      expect(succeeded(await stage.destroy()).changes).toEqual({});
    },
  },
  {
    name: "a destroy waits until the deployment is gone",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      stage.service.faults.conditions.deleteMilliseconds = 1_500;
      stage.asked();
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
      const asked = stage.asked();
      expect(asked.filter((request) => request.startsWith("DELETE"))).toHaveLength(1);
      expect(asked.filter((request) => request.startsWith("GET")).length).toBeGreaterThan(1);
    },
  },
  {
    name: "a destroy that the service refuses for a while continues, and one that it refuses keeps the state",
    run: async (stage) => {
      await stage.deploy(image("billing"), image("tools"));
      const busy = { kind: "answer", status: 409, body: { detail: "a revision is on its way" } } as const;
      stage.service.faults.add({ match: { method: "DELETE" }, do: busy });
      await stage.describe(image("billing"));
      expect(succeeded(await stage.up()).changes).toEqual({ delete: 1, same: 1 });

      const refused = { kind: "answer", status: 403, body: { detail: "not yours" } } as const;
      const fault = stage.service.faults.add({
        times: Number.POSITIVE_INFINITY,
        match: { method: "DELETE" },
        do: refused,
      });
      expect(failure(await stage.destroy())).toContain("not yours");
      expect(await stage.resource("billing")).toMatchObject({ id: stage.deployment("billing").id });
      fault.remove();
      succeeded(await stage.destroy());
    },
  },
  {
    name: "a destroy says what it waits for, and why it ended",
    run: async (stage) => {
      stage.service.faults.nextRevision({ hold: "DEPLOYING" });
      await stage.deploy(image("billing", { wait: false, timeoutSeconds: 3 }));
      const { id } = stage.deployment("billing");
      const refusal = (status: number) => ({
        times: Number.POSITIVE_INFINITY,
        match: { method: "DELETE" },
        do: { kind: "answer", status } as const,
      });
      const busy = stage.service.faults.add(refusal(409));
      const destroyed = await stage.destroy();
      const [revision] = stage.revisions("billing");
      const why = `the service refuses while revision ${String(revision?.id)} is DEPLOYING`;
      expect(messagesOf(destroyed)).toContain(`billing: waiting to delete deployment ${id}: ${why}, `);
      expect(failure(destroyed)).toContain(`deployment ${id} was not deleted within the timeout: ${why}.`);
      busy.remove();

      stage.service.faults.revisions.release();
      const down = stage.service.faults.add(refusal(503));
      const failed = await stage.destroy();
      expect(messagesOf(failed)).toMatch(/billing: waiting to delete deployment .* returned 503.* so far/);
      expect(failure(failed)).toMatch(/was not deleted within the timeout: DELETE .* returned 503/);
      expect(await stage.resource("billing")).toMatchObject({ id });
      down.remove();
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "a destroy takes the key of the last up, and says so when the service refuses it",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      await stage.stack.setConfig("graph-deploy:apiKey", "sk-plain-expired", { secret: true });
      succeeded(await stage.up());
      await stage.stack.setConfig("graph-deploy:apiKey", stage.apiKey, { secret: true });
      const said = failure(await stage.destroy());
      expect(said).toContain("401");
      expect(said).toContain("run `pulumi up` first, or add --run-program");
      expect(await stage.find("billing")).toBeDefined();

      succeeded(await stage.up());
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "a destroy takes a new key from the environment where the stack has none",
    run: async (stage) => {
      await stage.stack.removeConfig("graph-deploy:apiKey");
      stage.setEnv({ GRAPH_DEPLOY_API_KEY: stage.apiKey });
      await stage.deploy(image("billing"));
      stage.setEnv({ GRAPH_DEPLOY_API_KEY: "sk-plain-expired" });
      expect(failure(await stage.destroy())).toContain("401");
      stage.setEnv({ GRAPH_DEPLOY_API_KEY: stage.apiKey });
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "a resource that leaves the program is deleted, and the others are left alone",
    run: async (stage) => {
      await stage.deploy(image("billing"), image("tools"));
      stage.asked();
      const up = await stage.deploy(image("tools"));
      expect(up.changes).toEqual({ delete: 1, same: 1 });
      expect(stage.changed()).toEqual(["DELETE /v2/deployments/ID"]);
      expect(stage.service.deployments().map(({ name }) => name)).toEqual(["tools"]);
    },
  },
];
