import { expect } from "vitest";
import { Secret } from "../../engine/stack.ts";
import { folder, image } from "../program.ts";
import { failure, succeeded, messagesOf, type Stage } from "../stage.ts";
import type { Case } from "./case.ts";

/** The last body that spoke of secrets. */
function sent({ service }: Stage): unknown {
  const bodies = service.requests.map(({ json }) => json);
  return bodies.findLast((json) => typeof json === "object" && json !== null && "secrets" in json);
}

/** What is reported of secrets, to whom, and when. */
export const SECRETS: readonly Case[] = [
  {
    name: "a changed secret makes one revision, and one that is taken out is taken out",
    run: async (stage) => {
      await stage.deploy(image("billing", { secrets: { A: "sk-plain-a", B: { $secret: "sk-plain-b" } } }));
      expect((await stage.resource("billing")).inputs["secrets"]).toBeInstanceOf(Secret);
      await stage.deploy(image("billing", { secrets: { A: "sk-plain-a2", B: { $secret: "sk-plain-b" } } }));
      expect(sent(stage)).toMatchObject({
        secrets: [
          { name: "A", value: "sk-plain-a2" },
          { name: "B", value: "sk-plain-b" },
        ],
      });
      await stage.deploy(image("billing", { secrets: { A: "sk-plain-a2" } }));
      expect(stage.deployment("billing").secrets.map(({ name }) => name)).toEqual(["A"]);
      await stage.deploy(image("billing", { secrets: {} }));
      expect(stage.deployment("billing").secrets).toEqual([]);
      expect(stage.revisions("billing")).toHaveLength(4);
      expect(stage.changed().filter((request) => request.startsWith("PATCH"))).toHaveLength(3);
    },
  },
  {
    name: "a secret of the environment is sent, and its value is nowhere in the state",
    setting: { env: { OPENAI: "sk-plain-of-the-environment" } },
    run: async (stage) => {
      await stage.deploy(folder("support", { secretsFromEnv: { OPENAI_API_KEY: "OPENAI" } }));
      expect(sent(stage)).toMatchObject({
        secrets: [{ name: "OPENAI_API_KEY", value: "sk-plain-of-the-environment" }],
      });
      expect((await stage.resource("support")).inputs).toMatchObject({ secretsFromEnv: { OPENAI_API_KEY: "OPENAI" } });
      stage.asked();
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
      expect(stage.asked()).toEqual([]);

      stage.setEnv({ OPENAI: "sk-plain-another" });
      const up = succeeded(await stage.up());
      expect(up.changes).toEqual({ update: 1 });
      expect(messagesOf(up)).toContain("the value of a secret of the environment changed");
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      expect(sent(stage)).toMatchObject({ secrets: [{ name: "OPENAI_API_KEY", value: "sk-plain-another" }] });
    },
  },
  {
    name: "a secret of another variable with the same value is no change for the service",
    setting: { env: { OLD: "sk-plain-same", NEW: "sk-plain-same" } },
    run: async (stage) => {
      await stage.deploy(image("billing", { secretsFromEnv: { OPENAI_API_KEY: "OLD" } }));
      stage.asked();
      await stage.deploy(image("billing", { secretsFromEnv: { OPENAI_API_KEY: "NEW" } }));
      expect(stage.asked()).toEqual([]);
    },
  },
  {
    name: "a secret whose changes are ignored makes no revision, and is sent with the next one",
    setting: { env: { SHORT: "sk-plain-short-1" } },
    run: async (stage) => {
      const args = (token: string, more = {}) => ({
        ...{ secrets: { TOKEN: token }, secretsFromEnv: { SHORT: "SHORT" } },
        ...{ ignoreSecretChanges: ["TOKEN", "SHORT"], ...more },
      });
      await stage.deploy(image("billing", args("sk-plain-1")));
      stage.asked();
      stage.setEnv({ SHORT: "sk-plain-short-2" });
      expect((await stage.deploy(image("billing", args("sk-plain-2")))).changes).toEqual({ same: 1 });
      expect(stage.asked()).toEqual([]);

      await stage.deploy(image("billing", args("sk-plain-2", { triggers: [1] })));
      expect(sent(stage)).toMatchObject({
        secrets: [
          { name: "TOKEN", value: "sk-plain-2" },
          { name: "SHORT", value: "sk-plain-short-2" },
        ],
      });
    },
  },
  {
    name: "a program that says nothing of secrets leaves those of the service alone",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const { id } = stage.deployment("billing");
      await stage.foreign("PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "THEIRS", value: "t" }] });
      expect(succeeded(await stage.refresh()).changes).toEqual({ same: 1 });
      await stage.deploy(image("billing", { imageUri: "registry.example/agent:2" }));
      expect(stage.deployment("billing").secrets.map(({ name }) => name)).toEqual(["THEIRS"]);
    },
  },
  {
    name: "a setting and secrets that leave the program leave the service, in one revision that the preview announces",
    run: async (stage) => {
      const secrets = { A: "sk-plain-a" };
      await stage.deploy(image("billing", { secrets, sourceConfig: { build_command: "make", install_command: "i" } }));
      stage.asked();
      await stage.describe(image("billing", { sourceConfig: { install_command: "i" } }));
      const preview = succeeded(await stage.preview());
      expect(preview.changes).toEqual({ update: 1 });
      expect(messagesOf(preview)).toContain("sourceConfig.build_command is no longer set and will be removed");
      expect(messagesOf(preview)).toContain("the secret A is no longer set and will be removed");
      succeeded(await stage.up());
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      const { source_config, secrets: left } = stage.deployment("billing");
      expect(left).toEqual([]);
      expect(source_config).toMatchObject({ install_command: "i", build_command: null });
      expect(succeeded(await stage.refresh()).changes).toEqual({ same: 1 });
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
      expect(stage.changed()).toEqual([]);
    },
  },
  {
    name: "a secret in sourceConfig that the service repeats is printed nowhere",
    run: async (stage) => {
      const answer = { kind: "answer", status: 422, body: { detail: "sk-plain-token is not allowed" } } as const;
      stage.service.faults.add({ match: { method: "POST", path: "/v2/deployments" }, do: answer });
      await stage.describe(
        image("billing", { sourceConfig: { token: { $secret: "sk-plain-token" }, build_command: "make" } }),
      );
      const said = failure(await stage.up());
      expect(said).toContain("is not allowed");
      expect(said).not.toContain("sk-plain-token");
    },
  },
];

/** A plugin has its key marked as a secret by the schema. */
export const PLAIN_KEY: Case = {
  name: "an API key that was set without --secret is warned of once, and one that is secret is not",
  run: async (stage) => {
    const warning = "is stored in plain text";
    expect(messagesOf(await stage.deploy(image("billing"), image("tools")))).not.toContain(warning);
    await stage.stack.setConfig("graph-deploy:other", "a-key-in-plain-text");
    await stage.describe(
      image("billing", { credential: { config: "other" } }),
      image("tools", { credential: { config: "other" } }),
    );
    await stage.stack.setConfig("graph-deploy:bearerToken", "a-token-in-plain-text");
    const lines = messagesOf(succeeded(await stage.preview()));
    for (const key of ["graph-deploy:other", "graph-deploy:bearerToken"]) {
      expect(
        lines.split(`${key} is stored in plain text: set it with \`pulumi config set --secret ${key}\``),
      ).toHaveLength(2);
    }
    expect(lines).not.toMatch(/a-(?:key|token)-in-plain-text/);
  },
};
