import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { failure, succeeded, messagesOf } from "../stage.ts";
import type { Case } from "./case.ts";

/** What is kept from being deleted. */
export const PROTECTION: readonly Case[] = [
  {
    name: "a resource that Pulumi protects is neither deleted nor replaced",
    run: async (stage) => {
      await stage.deploy(image("billing", {}, { options: { protect: true } }));
      stage.asked();
      expect(failure(await stage.destroy())).toMatch(/protect/);
      await stage.describe(folder("billing", {}, { options: { protect: true } }));
      expect(failure(await stage.up())).toMatch(/protect/);
      expect(stage.asked()).toEqual([]);
      expect(stage.deployment("billing").source).toBe("external_docker");

      await stage.deploy(image("billing"));
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "deletionProtection refuses a destroy without a call, until it is taken back",
    run: async (stage) => {
      await stage.deploy(image("billing", { deletionProtection: true }));
      stage.asked();
      const said = failure(await stage.destroy());
      expect(said).toContain("is protected from deletion");
      expect(said).toContain("Set deletionProtection to false and run `pulumi up`");
      expect(stage.asked()).toEqual([]);
      expect(await stage.resource("billing")).toMatchObject({ id: stage.deployment("billing").id });

      await stage.deploy(image("billing", { deletionProtection: false }));
      expect(succeeded(await stage.destroy()).changes).toEqual({ delete: 1 });
      expect(stage.service.deployments()).toEqual([]);
    },
  },
  {
    name: "a deployment that is retained stays in the service, and a later up may take it over",
    run: async (stage) => {
      await stage.deploy(image("billing", { onDelete: "retain" }));
      const { id } = stage.deployment("billing");
      stage.asked();
      const destroyed = succeeded(await stage.destroy());
      expect(destroyed.changes).toEqual({ delete: 1 });
      expect(messagesOf(destroyed)).toContain(`deployment ${id} is retained in the service`);
      expect(stage.asked()).toEqual([]);
      expect((await stage.stack.exported()).resources).toEqual([]);

      await stage.deploy(image("billing", { adopt: "ifExists" }));
      expect(await stage.resource("billing")).toMatchObject({ id });
    },
  },
  {
    name: "Pulumi's own retainOnDelete leaves the deployment alone",
    run: async (stage) => {
      await stage.deploy(image("billing", {}, { options: { retainOnDelete: true } }));
      stage.asked();
      succeeded(await stage.destroy());
      expect(stage.asked()).toEqual([]);
      expect(stage.deployment("billing").name).toBe("billing");
    },
  },
  {
    name: "a replacement of what is retained under its name is refused in the preview, and the program as it was continues",
    run: async (stage) => {
      await stage.deploy(image("billing", { onDelete: "retain" }));
      const { id } = stage.deployment("billing");
      stage.asked();
      await stage.describe(folder("billing", { onDelete: "retain" }));
      expect(failure(await stage.preview())).toContain("another source needs a new deployment");
      expect(failure(await stage.up())).toContain("Choose another `name`");
      expect(stage.asked()).toEqual([]);

      expect((await stage.deploy(image("billing", { onDelete: "retain" }))).changes).toEqual({ same: 1 });
      await stage.deploy(image("billing", { onDelete: "delete" }));
      await stage.deploy(folder("billing", { onDelete: "retain" }));
      expect(stage.deployment("billing")).toMatchObject({ source: "internal_source" });
      expect(stage.deployment("billing").id).not.toBe(id);
    },
  },
];
