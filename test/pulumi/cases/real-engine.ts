import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { succeeded } from "../stage.ts";
import type { Case } from "./case.ts";

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
