import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { outputsOf, succeeded } from "../stage.ts";
import type { Case } from "./case.ts";

/** What an up does, and what it leaves alone. */
export const UPS: readonly Case[] = [
  {
    name: "an up deploys a folder, an image and a repository, and a second one asks for nothing",
    run: async (stage) => {
      const { type } = stage;
      const repository = { name: "tools", args: { source: "github", repoRef: "main" } };
      const up = await stage.deploy(folder("support"), image("billing"), repository);
      expect(up.changes).toEqual({ create: 3 });
      expect(up.steps.map((step) => step.type)).toEqual([type.token, type.token, type.token]);
      for (const name of ["support", "billing", "tools"]) {
        const { id, url, created_at, latest_revision_id } = stage.deployment(name);
        expect(outputsOf(up, name)).toMatchObject({
          ...{ id, name, url, createdAt: created_at, status: "DEPLOYED" },
          ...{ latestRevisionId: latest_revision_id, managedRevisionId: latest_revision_id },
        });
        expect(stage.revisions(name)[0]?.status).toBe("DEPLOYED");
      }
      expect(outputsOf(up, "support")).toMatchObject({
        sourceHash: expect.stringMatching(/^sha256:[\da-f]{64}$/),
        sourceSummary: expect.stringMatching(/^2 files, \d+ bytes$/),
      });
      expect(stage.changed().toSorted()).toEqual([
        ...["PATCH /v2/deployments/ID", "POST /v2/deployments", "POST /v2/deployments", "POST /v2/deployments"],
      ]);

      const again = succeeded(await stage.up());
      expect(again.changes).toEqual({ same: 3 });
      expect(stage.asked()).toEqual([]);
      expect(again.outputs).toEqual(up.outputs);
    },
  },
  {
    name: "a file that was only touched changes nothing",
    run: async (stage) => {
      await stage.deploy(folder("support"));
      stage.asked();
      const past = new Date("2001-01-01");
      await utimes(join(stage.program.directory, "agent/support.py"), past, past);
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
      expect(stage.asked()).toEqual([]);
    },
  },
  {
    name: "a changed file makes exactly one revision of the same deployment",
    run: async (stage) => {
      const first = outputsOf(await stage.deploy(folder("support")), "support");
      const revisions = stage.revisions("support").length;
      stage.asked();
      await stage.program.write("agent/support.py", "graph = 2\n");
      const up = succeeded(await stage.up());
      expect(up.changes).toEqual({ update: 1 });
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      expect(stage.revisions("support")).toHaveLength(revisions + 1);
      const second = outputsOf(up, "support");
      expect(second["id"]).toBe(first["id"]);
      expect(second["managedRevisionId"]).toBe(stage.revisions("support")[0]?.id);
      expect(second["sourceHash"]).not.toBe(first["sourceHash"]);
    },
  },
  {
    name: "a file that is left out of the upload may change",
    run: async (stage) => {
      const described = folder("support", { directory: { path: "agent", exclude: ["notes/"] } });
      await stage.program.write("agent/notes/today.txt", "one");
      await stage.deploy(described);
      stage.asked();
      await stage.program.write("agent/notes/today.txt", "two");
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
      expect(stage.asked()).toEqual([]);
    },
  },
  {
    name: "a trigger makes one revision of the same source",
    run: async (stage) => {
      await stage.deploy(image("billing", { triggers: ["monday"] }));
      stage.asked();
      const up = await stage.deploy(image("billing", { triggers: ["tuesday"] }));
      expect(up.changes).toEqual({ update: 1 });
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      expect(stage.revisions("billing")).toHaveLength(2);
    },
  },
  {
    name: "options of the provider alone are noted without a call",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      stage.asked();
      const options = {
        ...{ wait: false, timeoutSeconds: 77, adopt: "ifExists", onDelete: "retain" },
        ...{ deletionProtection: true, revisionDrift: "ignore", ignoreSecretChanges: ["A"] },
      };
      const customTimeouts = { create: "1m", update: "2m" };
      const described = image("billing", options, { options: { customTimeouts } });
      expect((await stage.deploy(described)).changes).toEqual({ update: 1 });
      expect(stage.asked()).toEqual([]);
      const { inputs, outputs } = await stage.resource("billing");
      expect(inputs).toMatchObject(options);
      expect(outputs).toMatchObject({ ...options, status: "DEPLOYED" });
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "without a wait an up ends before the revision does, and the next one asks for nothing",
    run: async (stage) => {
      stage.service.faults.nextRevision({ hold: "DEPLOYING" });
      const up = await stage.deploy(image("billing", { wait: false }));
      expect(stage.revisions("billing")[0]?.status).not.toBe("DEPLOYED");
      expect(outputsOf(up, "billing")["managedRevisionId"]).toBe(stage.revisions("billing")[0]?.id);
      stage.asked();
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
      expect(stage.asked()).toEqual([]);
    },
  },
  {
    name: "twenty deployments are made side by side, each with one create and one revision",
    run: async (stage) => {
      const names = Array.from({ length: 20 }, (_, index) => `agent-${index}`);
      await stage.describe(...names.map((name, index) => (index % 2 === 0 ? image(name) : folder(name))));
      expect(succeeded(await stage.up({ parallel: 20 })).changes).toEqual({ create: 20 });
      const changed = stage.changed();
      expect(changed.filter((request) => request.startsWith("POST"))).toHaveLength(20);
      expect(changed.filter((request) => request.startsWith("PATCH"))).toHaveLength(10);
      for (const name of names) expect(stage.revisions(name)[0]?.status).toBe("DEPLOYED");

      expect(succeeded(await stage.up({ parallel: 20 })).changes).toEqual({ same: 20 });
      expect(stage.asked()).toEqual([]);
      expect(succeeded(await stage.destroy({ parallel: 20 })).changes).toEqual({ delete: 20 });
      expect(stage.service.deployments()).toEqual([]);
    },
  },
];
