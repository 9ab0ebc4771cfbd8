import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { succeeded, messagesOf } from "../stage.ts";
import type { Case } from "./case.ts";

// The same deployment in the other forms of a program; its TypeScript is checked by Pulumi before it runs.
const CJS = `
const { Deployment } = require("graph-deploy/pulumi");
exports.url = new Deployment("support", { source: "internal_source", directory: { path: "agent" } }).url;
`;
const TS = `
import { Deployment } from "graph-deploy/pulumi";
const support = new Deployment("support", { source: "internal_source", directory: { path: "agent" } });
export const url = support.url;
`;

/** What the state holds of the package, and that another version or form of it changes nothing. */
export const PACKAGES: readonly Case[] = [
  {
    name: "an upgrade of the package changes nothing, and an up, a refresh and a destroy run what is installed",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const { outputs } = await stage.resource("billing");
      stage.asked();
      await stage.program.upgrade("this is the provider of another version");
      const up = succeeded(await stage.up());
      expect(up.changes).toEqual({ same: 1 });
      expect(stage.asked()).toEqual([]);
      expect((await stage.resource("billing")).outputs).toEqual(outputs);
      for (const run of [up, succeeded(await stage.refresh()), succeeded(await stage.destroy())]) {
        expect(messagesOf(run)).toContain("this is the provider of another version");
      }
    },
  },
  {
    name: "a state holds the name of the provider and no code",
    run: async (stage) => {
      await stage.deploy(image("billing"), { ...folder("support"), kind: "AgentDeployment" });
      const { resources } = await stage.stack.exported();
      const providers = resources.filter(({ custom }) => custom).map(({ inputs }) => String(inputs["__provider"]));
      expect(providers).toHaveLength(3);
      for (const text of providers) {
        expect(text).toContain('require("graph-deploy/pulumi/stub")');
        expect(text.length).toBeLessThan(400);
      }
    },
  },
  {
    name: "the same program as ESM, CommonJS and TypeScript is the same",
    run: async (stage) => {
      await stage.deploy(folder("support"));
      stage.asked();
      await stage.program.write("agent.cjs", CJS);
      await stage.program.write("agent.ts", TS);
      for (const program of ["agent.cjs", "agent.ts"]) {
        const up = succeeded(await stage.up({ program }));
        expect(up.changes).toEqual({ same: 1 });
        expect(up.outputs).toEqual({ url: stage.deployment("support").url });
      }
      expect(stage.asked()).toEqual([]);
    },
  },
];
