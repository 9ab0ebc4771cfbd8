import { join } from "node:path";
import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { failure, succeeded, messagesOf, type Stage } from "../stage.ts";
import type { Case } from "./case.ts";

const DYNAMIC_TYPE = "pulumi-nodejs:dynamic/graph-deploy:Deployment";
const PLUGIN_TYPE = "graph-deploy:index:Deployment";

/** What only the real engine can show; the cases of the table run there as well. */
export const REAL_ENGINE: readonly Case[] = [
  {
    name: "the file of the state has every secret and the key encrypted, and no code",
    setting: { env: { OF_ENV: "sk-plain-of-the-environment" } },
    run: async (stage) => {
      const secrets = { A: "sk-plain-a", B: { $secret: "sk-plain-b" } };
      await stage.deploy(folder("support", { secrets, secretsFromEnv: { C: "OF_ENV" } }));
      const { text } = await stage.stack.exported();
      for (const plain of [stage.apiKey, "sk-plain-a", "sk-plain-b", "sk-plain-of-the-environment"]) {
        expect(text).not.toContain(plain);
      }
      expect(text).toMatch(/"ciphertext": ?"v1:/);
    },
  },
  {
    name: "a preview that expects no changes passes after an up, a refresh and another up",
    run: async (stage) => {
      await stage.deploy(folder("support"), image("billing", { secrets: { A: "sk-plain-a" }, triggers: [{ b: 1 }] }));
      succeeded(await stage.preview({ expectNoChanges: true }));
      succeeded(await stage.refresh());
      succeeded(await stage.preview({ expectNoChanges: true }));
      succeeded(await stage.up());
      succeeded(await stage.preview({ expectNoChanges: true }));
    },
  },
];

/** What only the real engine can show, of resources that only dynamic providers have. */
export const REAL_ENGINE_OF_DYNAMIC: readonly Case[] = [
  {
    name: "a Deployment becomes an AgentDeployment, under another name as well, without a replacement",
    run: async (stage) => {
      await stage.deploy(image("billing"), image("tools"));
      const ids = ["billing", "tools"].map((name) => stage.deployment(name).id);
      stage.asked();
      const type = stage.type.token;
      const agents = [
        image("billing", {}, { kind: "AgentDeployment", options: { aliases: [{ type }] } }),
        image("kit", { name: "tools" }, { kind: "AgentDeployment", options: { aliases: [{ type, name: "tools" }] } }),
      ];
      await stage.describe(...agents);
      expect(succeeded(await stage.preview()).changes).not.toHaveProperty("replace");
      await stage.deploy(...agents);
      expect(stage.changed()).toEqual([]);
      expect([await stage.resource("billing"), await stage.resource("kit")].map(({ id }) => id)).toEqual(ids);
    },
  },
];

/** What only the real engine can show of the resources of the plugin. */
export const REAL_ENGINE_OF_PLUGIN: readonly Case[] = [
  {
    name: "a key that was set without --secret is warned of, and the state has it encrypted",
    run: async (stage) => {
      expect(messagesOf(await stage.deploy(image("billing")))).not.toContain("plain text");
      await stage.stack.setConfig("graph-deploy:apiKey", stage.apiKey);
      // The files of a stack are beside its program; this engine has them elsewhere.
      await stage.program.write("Pulumi.yaml", "name: agents\nruntime: nodejs\n");
      await stage.program.write("Pulumi.dev.yaml", `config:\n  graph-deploy:apiKey: ${stage.apiKey}\n`);
      const up = await stage.deploy(image("billing"));
      expect(messagesOf(up)).toContain("graph-deploy:apiKey is stored in plain text");
      expect((await stage.stack.exported()).text).not.toContain(stage.apiKey);
      succeeded(await stage.refresh());
      succeeded(await stage.destroy());
    },
  },
  {
    name: "a key of a provider of the program is encrypted in the state, whether or not it is a secret there",
    run: async (stage) => {
      const other = { apiKey: stage.apiKey, controlPlaneUrl: stage.service.url };
      const up = await stage.deploy(
        { name: "other", kind: "Provider", args: other },
        { name: "kept", kind: "Provider", args: { ...other, apiKey: { $secret: stage.apiKey } } },
        image("tools", {}, { options: { provider: { $resource: "other" } } }),
        image("billing", {}, { options: { provider: { $resource: "kept" } } }),
      );
      expect(messagesOf(up)).not.toContain("plain text");
      expect((await stage.stack.exported()).text).not.toContain(stage.apiKey);
      succeeded(await stage.preview({ expectNoChanges: true }));
    },
  },
  {
    name: "a token of the provider that was set in plain text is encrypted in the state",
    run: async (stage) => {
      await stage.stack.removeConfig("graph-deploy:apiKey");
      await stage.stack.setConfig("graph-deploy:bearerToken", "sk-plain-token");
      await stage.describe(image("billing"));
      failure(await stage.up());
      expect((await stage.stack.exported()).text).not.toContain("sk-plain-token");
    },
  },
  {
    name: "deployments of each source are imported, and then nothing changes",
    run: async (stage) => {
      await stage.foreignImage("image", "registry.example/agent:1", [{ name: "A", value: "sk-plain-a" }]);
      await stage.foreign("POST", "/v2/deployments", {
        ...{ name: "repository", source: "github", secrets: [] },
        source_config: { build_on_push: true, repo_url: "https://git.example/agent" },
        source_revision_config: { repo_ref: "main", graph_config_path: "graph.json" },
      });
      await stage.deploy(folder("directory", {}, { options: { retainOnDelete: true } }));
      await stage.deploy();
      stage.asked();
      const ofRepository = { build_on_push: true, repo_url: "https://git.example/agent" };
      const described = (options: (name: string) => object) => [
        image("image", {}, { options: { ...options("image") } }),
        {
          name: "repository",
          args: { source: "github", repoRef: "main", sourceConfig: ofRepository },
          options: { ...options("repository") },
        },
        { name: "directory", args: { source: "internal_source" }, options: { ...options("directory") } },
      ];
      await stage.describe(...described((name) => ({ import: name })));
      const imported = succeeded(await stage.up());
      expect(imported.changes).toEqual({ import: 3 });
      expect(messagesOf(imported)).not.toContain("bug in the");
      await stage.describe(...described(() => ({})));
      succeeded(await stage.preview({ expectNoChanges: true }));
      succeeded(await stage.refresh());
      succeeded(await stage.preview({ expectNoChanges: true }));
      expect(stage.changed()).toEqual([]);
      expect((await stage.resource("directory")).id).toBe(stage.deployment("directory").id);
    },
  },
];

/** How a program goes from dynamic resources to those of the plugin. */
export const MOVES: readonly Case[] = [
  {
    name: "a dynamic resource becomes one of the plugin by its alias, without a request",
    run: async (stage) => {
      const agent = { kind: "AgentDeployment" } as const;
      const secrets = { A: { $secret: "sk-plain-a" } };
      await stage.deploy(folder("support", { secrets }), image("billing"), image("tools", {}, agent));
      const ids = ["support", "billing", "tools"].map((name) => stage.deployment(name).id);
      stage.asked();
      stage.program.use(join(import.meta.dirname, "../programs/plugin-sdk.cjs"));
      const aliased = { options: { aliases: [{ type: DYNAMIC_TYPE }] } };
      const urn = `urn:pulumi:dev::agents::graph-deploy:index:AgentDeployment$${DYNAMIC_TYPE}::tools`;
      const moved = [folder("support", { secrets }, aliased), image("billing", {}, aliased)];
      await stage.describe(...moved, image("tools", {}, { options: { aliases: [urn] } }));
      expect(await idsAfterUp(stage)).toEqual(ids);
      await stage.describe(folder("support", { secrets }), image("billing"), image("tools"));
      expect(succeeded(await stage.preview({ expectNoChanges: true })).changes).toEqual({ same: 3 });
      expect(stage.changed()).toEqual([]);
    },
  },
];

/** How a program goes from resources of the plugin to dynamic ones. */
export const MOVES_BACK: readonly Case[] = [
  {
    name: "a resource of the plugin becomes a dynamic one by its alias, without a request, and is refreshed and deleted as one",
    run: async (stage) => {
      const secrets = { A: { $secret: "sk-plain-a" } };
      await stage.deploy(folder("support", { secrets }), image("billing"), image("tools"));
      const ids = ["support", "billing", "tools"].map((name) => stage.deployment(name).id);
      stage.asked();
      stage.program.use("graph-deploy/pulumi");
      const aliased = { options: { aliases: [{ type: PLUGIN_TYPE }] } };
      const moved = [
        folder("support", { secrets }, aliased),
        image("billing", {}, aliased),
        image("tools", {}, aliased),
      ];
      await stage.describe(...moved);
      expect(succeeded(await stage.preview()).changes).toEqual({ update: 3 });
      expect(await idsAfterUp(stage, DYNAMIC_TYPE)).toEqual(ids);
      expect(stage.changed()).toEqual([]);
      succeeded(await stage.preview({ expectNoChanges: true }));
      succeeded(await stage.refresh());
      await stage.describe(folder("support", { secrets }), image("billing"), image("tools"));
      succeeded(await stage.preview({ expectNoChanges: true }));
      expect(stage.changed()).toEqual([]);
      succeeded(await stage.destroy());
      expect(stage.service.deployments()).toEqual([]);
    },
  },
];

async function idsAfterUp(stage: Stage, wanted = PLUGIN_TYPE): Promise<readonly string[]> {
  const { changes } = succeeded(await stage.up());
  expect(changes).not.toHaveProperty("replace");
  const { resources } = await stage.stack.exported();
  const ids = new Map(resources.filter(({ type }) => type === wanted).map(({ name, id }) => [name, id]));
  return ["support", "billing", "tools"].map((name) => ids.get(name) ?? "");
}
