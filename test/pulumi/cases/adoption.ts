import { expect } from "vitest";
import { EXACT_IMAGE, image } from "../program.ts";
import { failure, succeeded, messagesOf } from "../stage.ts";
import type { Case } from "./case.ts";
import { AFTER_RENAMED, renameHalfway } from "./half-rename.ts";

const renamed = image("invoices", { name: "billing", adopt: "ifExists" });

/** What becomes of a deployment of the name that exists already. */
export const ADOPTION: readonly Case[] = [
  {
    name: "a deployment of the name is taken over when the program says so",
    run: async (stage) => {
      const { id } = await stage.foreignImage("billing");
      await stage.deploy(image("billing", { adopt: "ifExists" }));
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      expect(await stage.resource("billing")).toMatchObject({ id });
      expect(stage.deployment("billing").source_revision_config.image_uri).toBe("registry.example/agent:1");
      expect(stage.revisions("billing")).toHaveLength(2);
    },
  },
  {
    name: "a deployment of the name is left alone unless the program says so",
    run: async (stage) => {
      const { id } = await stage.foreignImage("billing");
      await stage.describe(image("billing"));
      const said = failure(await stage.up());
      expect(said).toContain(`billing already exists, as deployment ${id}.`);
      expect(said).toContain('set adopt to "ifExists" to take it over');
      expect(stage.changed()).toEqual([]);
      expect(await stage.find("billing")).toBeUndefined();
      expect(stage.revisions("billing")).toHaveLength(1);
    },
  },
  {
    name: "a deployment of the name is created when there is none to take over",
    run: async (stage) => {
      await stage.deploy(image("billing", { adopt: "ifExists" }));
      expect(stage.changed()).toEqual(["POST /v2/deployments"]);
    },
  },
  {
    name: "a resource that got another name in the program takes its deployment over, and the old one does not delete it",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const { id } = stage.deployment("billing");
      const done = await stage.deploy(image("invoices", { name: "billing", adopt: "ifExists" }));
      expect(messagesOf(done)).toContain(
        `deployment ${id} is kept: another resource of the program has taken it over.`,
      );
      expect(await stage.find("billing")).toBeUndefined();
      expect(await stage.resource("invoices")).toMatchObject({ id });
      expect(stage.deployment("billing").id).toBe(id);
    },
  },
  {
    name: "a rename whose up failed elsewhere is finished by the next up, which keeps the deployment",
    run: async (stage) => {
      const id = await renameHalfway(stage, renamed);
      const done = succeeded(await stage.up());
      expect(messagesOf(done)).toContain(
        `deployment ${id} is kept: another resource of the program has taken it over.`,
      );
      expect(stage.changed()).toEqual(["POST /v2/deployments"]);
      expect(await stage.find("billing")).toBeUndefined();
      expect(await stage.resource("invoices")).toMatchObject({ id });
      expect(stage.deployment("billing").id).toBe(id);
    },
  },
  {
    name: "a rename whose up failed elsewhere and is taken back keeps the deployment",
    run: async (stage) => {
      const id = await renameHalfway(stage, renamed);
      const done = await stage.deploy(image("billing"));
      expect(messagesOf(done)).toContain(
        `deployment ${id} is kept: another resource of the program has taken it over.`,
      );
      expect(stage.changed()).toEqual([]);
      expect(await stage.find("invoices")).toBeUndefined();
      expect(stage.deployment("billing").id).toBe(id);
    },
  },
  {
    name: "a destroy of two resources that hold one deployment deletes it, once",
    run: async (stage) => {
      await renameHalfway(stage, renamed);
      succeeded(await stage.destroy());
      expect(stage.changed()).toEqual(["DELETE /v2/deployments/ID"]);
      expect(stage.service.deployments()).toEqual([]);
      expect((await stage.stack.exported()).resources).toEqual([]);
    },
  },
  {
    name: "a resource that holds the deployment of another is replaced without deleting it",
    run: async (stage) => {
      const id = await renameHalfway(stage, renamed);
      await stage.deploy(renamed, AFTER_RENAMED, image("billing", { name: "moved" }));
      expect(stage.changed()).toEqual(["POST /v2/deployments", "POST /v2/deployments"]);
      expect(stage.deployment("billing").id).toBe(id);
      expect(await stage.resource("invoices")).toMatchObject({ id });
    },
  },
  {
    name: "a deployment that is exactly as the program says is adopted without a request that writes",
    run: async (stage) => {
      const { id } = await stage.foreignImage("billing", EXACT_IMAGE);
      await stage.describe(image("billing", { adopt: "ifExists", imageUri: EXACT_IMAGE }));
      const preview = succeeded(await stage.preview());
      expect(messagesOf(preview)).toContain(`adopts deployment ${id}, which already exists, without a new revision.`);
      succeeded(await stage.up());
      expect(stage.changed()).toEqual([]);
      const [revision] = stage.revisions("billing");
      expect(await stage.resource("billing")).toMatchObject({
        id,
        outputs: { managedRevisionId: revision?.id, status: "DEPLOYED" },
      });
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "a preview says that it adopts, and which deployment",
    run: async (stage) => {
      const { id } = await stage.foreignImage("billing");
      await stage.describe(image("billing", { adopt: "ifExists" }), image("tools", { adopt: "ifExists" }));
      const said = messagesOf(succeeded(await stage.preview()));
      expect(said).toContain(`billing: adopts deployment ${id}, which already exists, with a new revision.`);
      expect(said).not.toContain("tools: adopts");
      expect(stage.changed()).toEqual([]);
    },
  },
  {
    name: "what was adopted is retained by a destroy, which says so",
    run: async (stage) => {
      const { id } = await stage.foreignImage("billing");
      await stage.deploy(image("billing", { adopt: "ifExists" }), image("tools", { adopt: "ifExists" }));
      // What the program says of it afterwards does not make it a deployment of its own.
      await stage.deploy(image("billing", { triggers: [1] }), image("tools"));
      stage.asked();
      const destroyed = succeeded(await stage.destroy());
      expect(messagesOf(destroyed)).toContain(`deployment ${id} is retained in the service, because it was adopted`);
      expect(stage.changed()).toEqual(["DELETE /v2/deployments/ID"]);
      expect(stage.service.deployments().map(({ name }) => name)).toEqual(["billing"]);
      expect((await stage.stack.exported()).resources).toEqual([]);
    },
  },
  {
    name: "what was adopted is deleted by a destroy when the program says so",
    run: async (stage) => {
      await stage.foreignImage("billing");
      await stage.deploy(image("billing", { adopt: "ifExists" }));
      expect((await stage.deploy(image("billing", { adopt: "ifExists", onDelete: "delete" }))).changes).toEqual({
        update: 1,
      });
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "a deployment of another source is not taken over",
    run: async (stage) => {
      await stage.foreignImage("billing");
      await stage.describe({ name: "billing", args: { source: "github", repoRef: "main", adopt: "ifExists" } });
      expect(failure(await stage.up())).toContain("external_docker");
      expect(stage.changed()).toEqual([]);
      expect(await stage.find("billing")).toBeUndefined();
    },
  },
];
