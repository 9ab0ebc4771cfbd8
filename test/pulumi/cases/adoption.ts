import { expect } from "vitest";
import { image } from "../program.ts";
import { failure, told } from "../stage.ts";
import type { Case } from "./case.ts";

const theirs = (name: string) => ({
  name,
  source: "external_docker",
  source_config: {},
  source_revision_config: { image_uri: "registry.example/agent:0" },
  secrets: [],
});

/** What becomes of a deployment of the name that exists already. */
export const ADOPTION: readonly Case[] = [
  {
    name: "a deployment of the name is taken over when the program says so",
    run: async (stage) => {
      await stage.foreign("POST", "/v2/deployments", theirs("billing"));
      const { id } = stage.deployment("billing");
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
      await stage.foreign("POST", "/v2/deployments", theirs("billing"));
      const { id } = stage.deployment("billing");
      await stage.describe(image("billing"));
      const said = failure(await stage.up());
      expect(said).toContain(`billing exists already, as deployment ${id}.`);
      expect(said).toContain('Set adopt to "ifExists"');
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
      expect(told(done)).toContain(`deployment ${id} is kept: another resource of the program has taken it over.`);
      expect(await stage.find("billing")).toBeUndefined();
      expect(await stage.resource("invoices")).toMatchObject({ id });
      expect(stage.deployment("billing").id).toBe(id);
    },
  },
  {
    name: "a deployment of another source is not taken over",
    run: async (stage) => {
      await stage.foreign("POST", "/v2/deployments", theirs("billing"));
      await stage.describe({ name: "billing", args: { source: "github", repoRef: "main", adopt: "ifExists" } });
      expect(failure(await stage.up())).toContain("external_docker");
      expect(stage.changed()).toEqual([]);
      expect(await stage.find("billing")).toBeUndefined();
    },
  },
];
