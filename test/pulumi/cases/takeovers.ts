import { join } from "node:path";
import { expect } from "vitest";
import type { RunResult } from "../../engine/stack.ts";
import { image } from "../program.ts";
import { failure, messagesOf, succeeded, type Stage } from "../stage.ts";
import type { Case } from "./case.ts";
import { renameHalfway } from "./half-rename.ts";

const PLUGIN_SDK = join(import.meta.dirname, "../programs/plugin-sdk.cjs");
const DYNAMIC_MODULE = "graph-deploy/pulumi";
const adopting = (name: string, options = {}) => image(name, { name: "billing", adopt: "ifExists" }, { options });

/** The resources of the state with the deployments that they hold, as `TYPE NAME ID`. */
async function held(stage: Stage): Promise<readonly string[]> {
  const { resources } = await stage.stack.exported();
  return resources.filter(({ custom }) => custom).map(({ type, name, id }) => `${type} ${name} ${id}`);
}

/** An up with another resource that adopts: the deployment stays, one resource has it, and a destroy says what becomes of it. */
async function expectTakenOver(stage: Stage, id: string): Promise<void> {
  const up = succeeded(await stage.up());
  expect(stage.deployment("billing").id).toBe(id);
  expect(messagesOf(up)).toContain(`deployment ${id} is kept: another resource of the program has taken it over.`);
  const [only = "", ...others] = await held(stage);
  expect(only).toContain(id);
  expect(others).toEqual([]);
  succeeded(await stage.refresh());
  expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
  expect(stage.deployment("billing").id).toBe(id);
}

/** A destroy that leaves a deployment to another resource, and says how to clear the mark that shows it. */
function expectKept(id: string, destroyed: RunResult): void {
  expect(messagesOf(succeeded(destroyed))).toMatch(
    new RegExp(`deployment ${id} is kept: .* holds it, as the mark .*remove this file`),
  );
}

/** Two resources that hold one deployment, each in a process of its own. */
export const TAKEOVERS: readonly Case[] = [
  {
    name: "a targeted destroy of the old name after half a rename leaves the deployment that the new name holds",
    run: async (stage) => {
      const id = await renameHalfway(stage, adopting("invoices"));
      const { urn } = await stage.resource("billing");
      expectKept(id, await stage.destroy({ targets: [urn] }));
      expect(stage.service.deployments().map((one) => one.id)).toEqual([id]);
      expect(await stage.find("billing")).toBeUndefined();
      succeeded(await stage.up());
      expect(stage.deployment("billing").id).toBe(id);
      expect(await stage.resource("invoices")).toMatchObject({ id });
    },
  },
  {
    name: "a targeted destroy of the new name after half a rename leaves the deployment that the old name holds",
    run: async (stage) => {
      const id = await renameHalfway(stage, adopting("invoices"));
      const { urn } = await stage.resource("invoices");
      succeeded(await stage.destroy({ targets: [urn] }));
      expect(stage.service.deployments().map((one) => one.id)).toEqual([id]);
      await stage.deploy(image("billing"));
      expect(stage.deployment("billing").id).toBe(id);
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "after half a rename and a refresh, a targeted destroy of the new name that would delete leaves the deployment to the old name",
    run: async (stage) => {
      const deleting = image("invoices", { name: "billing", adopt: "ifExists", onDelete: "delete" });
      const id = await renameHalfway(stage, deleting);
      succeeded(await stage.refresh());
      const { urn } = await stage.resource("invoices");
      expectKept(id, await stage.destroy({ targets: [urn] }));
      expect(stage.service.deployments().map((one) => one.id)).toEqual([id]);
      await stage.deploy(image("billing"));
      expect(await stage.resource("billing")).toMatchObject({ id });
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "a rename without adopt fails, and its error advises the alias",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      await stage.describe(image("invoices", { name: "billing" }));
      const said = failure(await stage.up());
      expect(said).toContain("billing already exists");
      expect(said).toContain("alias");
      expect(stage.service.deployments()).toHaveLength(1);
      expect(await stage.find("billing")).toBeDefined();
    },
  },
  {
    name: "a create that was killed before the service had it takes nothing for its own that somebody else has made since",
    run: async (stage) => {
      const create = { method: "POST", path: "/v2/deployments" } as const;
      stage.service.faults.add({ match: create, do: { kind: "stall", when: "before" } });
      await stage.describe(image("billing"));
      const running = stage.up();
      await stage.askedFor(create);
      await stage.stack.interrupt();
      expect((await running).ok).toBe(false);
      stage.service.faults.clear();
      expect(stage.service.deployments()).toEqual([]);
      const { id } = await stage.foreignImage("billing", "registry.example/agent:1");

      const up = await stage.up();
      // A dynamic resource does not hear which one it is, and has no note of what it began.
      if (stage.type.plugin === undefined) {
        const said = failure(up);
        expect(said).toContain(`billing already exists, as deployment ${id}`);
        expect(said).toContain('set adopt to "ifExists" to take it over');
        expect(await stage.find("billing")).toBeUndefined();
        await stage.describe(image("billing", { adopt: "ifExists" }));
        succeeded(await stage.up());
      } else {
        expect(messagesOf(succeeded(up))).toContain(`deployment ${id} is adopted: an earlier run was ended by force`);
      }
      const destroyed = succeeded(await stage.destroy());
      expect(messagesOf(destroyed)).toContain(
        `deployment ${id} is retained in the service, because it was adopted; set onDelete: "delete"`,
      );
      expect(stage.service.deployments().map((one) => one.id)).toEqual([id]);
    },
  },
];

/** The same between the two doors; the stage has both. */
export const TAKEOVERS_BETWEEN_DOORS: readonly Case[] = [
  {
    name: "a resource of the plugin that adopts in the place of a dynamic one keeps the deployment",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const { id } = stage.deployment("billing");
      stage.program.use(PLUGIN_SDK);
      await stage.describe(adopting("billing"));
      await expectTakenOver(stage, id);
    },
  },
  {
    name: "a dynamic resource that adopts in the place of one of the plugin keeps the deployment",
    run: async (stage) => {
      stage.program.use(PLUGIN_SDK);
      await stage.deploy(image("billing"));
      const { id } = stage.deployment("billing");
      stage.program.use(DYNAMIC_MODULE);
      await stage.describe(adopting("billing"));
      await expectTakenOver(stage, id);
    },
  },
  {
    name: "a resource of the plugin in the place of a dynamic one fails without adopt, and its error advises the alias",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      stage.program.use(PLUGIN_SDK);
      await stage.describe(image("billing"));
      const said = failure(await stage.up());
      expect(said).toContain("billing already exists");
      expect(said).toContain("alias");
      expect(stage.service.deployments()).toHaveLength(1);
    },
  },
];

/** The same between two providers of the plugin, and by an import, which only the real engine can do. */
export const TAKEOVERS_OF_PLUGIN: readonly Case[] = [
  {
    name: "after half a rename by an import and a refresh, a targeted destroy of the old name leaves the deployment to the new name",
    run: async (stage) => {
      const importing = image("invoices", { name: "billing" }, { options: { import: "billing" } });
      const id = await renameHalfway(stage, importing);
      succeeded(await stage.refresh());
      const { urn } = await stage.resource("billing");
      expectKept(id, await stage.destroy({ targets: [urn] }));
      expect(stage.deployment("billing").id).toBe(id);
      await stage.deploy(image("invoices", { name: "billing" }));
      expect(await stage.resource("invoices")).toMatchObject({ id });
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "a rename that adopts with another provider keeps the deployment",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const { id } = stage.deployment("billing");
      const args = { controlPlaneUrl: stage.service.url, apiKey: { $secret: stage.apiKey } };
      const other = { name: "other", kind: "Provider", args } as const;
      await stage.describe(other, adopting("invoices", { provider: { $resource: "other" } }));
      await expectTakenOver(stage, id);
    },
  },
];
