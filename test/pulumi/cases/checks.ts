import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { failure, succeeded } from "../stage.ts";
import type { Case } from "./case.ts";

/** What is refused before anything is asked. */
export const CHECKS: readonly Case[] = [
  {
    name: "all that is wrong with a deployment is reported at once, without a call and without a secret",
    run: async (stage) => {
      const args = {
        ...{ source: "external_docker", graphConfigPath: "graph.json", timeoutSeconds: -1, adopt: "always" },
        ...{ imageURI: "sk-plain-typo", secrets: { "sk-plain-name": "sk-plain-value", EMPTY: "" } },
        ...{ secretsFromEnv: { TOKEN: "NOT_SET" }, sourceTarballPath: "a/b.tar.gz" },
      };
      await stage.describe({ name: "billing", args });
      for (const run of [await stage.preview(), await stage.up()]) {
        failure(run);
        const reasons = run.refusals.map(({ reason }) => reason).join("\n");
        for (const what of [
          ...["imageUri is required", "graphConfigPath must not be set", "timeoutSeconds must be more than 0"],
          ...["adopt must be never or ifExists", "imageURI is not a known input (did you mean imageUri?)"],
          ...["secrets has a name that is not a valid variable name", "secrets.EMPTY is empty"],
          ...["secretsFromEnv.TOKEN names the variable NOT_SET, which is not set"],
          "sourceTarballPath is set by the provider",
        ]) {
          expect(reasons).toContain(what);
        }
        expect(run.refusals.every(({ name }) => name === "billing")).toBe(true);
        expect(run.refusals.every(({ property }) => property === "" || property === "timeoutSeconds")).toBe(true);
      }
      expect(stage.asked()).toEqual([]);
      expect((await stage.stack.exported()).resources).toEqual([]);
    },
  },
  {
    name: "a folder that is not there, or lacks its configuration, is refused in a preview",
    run: async (stage) => {
      await stage.describe(folder("support", { directory: { path: "nowhere" } }));
      expect(failure(await stage.preview())).toMatch(/directory cannot be used: .*nowhere/);
      await stage.describe(folder("support", { graphConfigPath: "other.json" }));
      expect(failure(await stage.preview())).toContain("other.json");
      expect(stage.asked()).toEqual([]);
    },
  },
  {
    name: "missing credentials are named with the key of the configuration and with the variable",
    setting: { config: { "graph-deploy:controlPlaneUrl": "https://control.example" } },
    run: async (stage) => {
      await stage.describe(image("billing"));
      const said = failure(await stage.preview());
      expect(said).toContain("pulumi config set --secret graph-deploy:apiKey");
      expect(said).toContain("GRAPH_DEPLOY_API_KEY");

      await stage.stack.removeConfig("graph-deploy:controlPlaneUrl");
      const another = failure(await stage.preview());
      expect(another).toContain("pulumi config set graph-deploy:controlPlaneUrl");
      expect(another).toContain("GRAPH_DEPLOY_URL");
    },
  },
  {
    name: "the environment holds the address and the key where the stack does not, and a pointer names another",
    setting: { config: {} },
    run: async (stage) => {
      const GRAPH_DEPLOY_URL = stage.service.url;
      stage.setEnv({ GRAPH_DEPLOY_URL, GRAPH_DEPLOY_API_KEY: stage.apiKey });
      await stage.deploy(image("billing"));
      // The configuration of a plugin is its provider's, which knows all of its settings.
      const hasPointers = stage.type.plugin === undefined;
      if (hasPointers) await stage.stack.setConfig("graph-deploy:otherKey", stage.apiKey, { secret: true });
      stage.setEnv(hasPointers ? { GRAPH_DEPLOY_URL } : { GRAPH_DEPLOY_URL, OTHER: stage.apiKey });
      const credential = hasPointers ? { config: "otherKey" } : { env: "OTHER" };
      await stage.deploy(image("billing", { credential, triggers: [1] }));
      stage.setEnv({ GRAPH_DEPLOY_URL, MINE: stage.apiKey });
      await stage.deploy(image("billing", { credential: { env: "MINE" }, triggers: [2] }));
      expect(stage.revisions("billing")).toHaveLength(3);
      stage.setEnv({ GRAPH_DEPLOY_URL });
      expect(failure(await stage.up())).toContain("credential.env names the variable MINE, which is not set");
      stage.setEnv({ GRAPH_DEPLOY_URL, MINE: stage.apiKey });
      succeeded(await stage.destroy());
    },
  },
  {
    name: "a key that is refused is named without its value",
    run: async (stage) => {
      await stage.stack.setConfig("graph-deploy:apiKey", "sk-plain-wrong-key", { secret: true });
      await stage.describe(image("billing"));
      expect(failure(await stage.up())).toMatch(/401/);
      expect(stage.service.deployments()).toEqual([]);
      expect(await stage.find("billing")).toBeUndefined();
    },
  },
];
