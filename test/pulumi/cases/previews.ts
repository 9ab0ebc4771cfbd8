import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { outputsOf, succeeded, messagesOf } from "../stage.ts";
import type { Case } from "./case.ts";

/** What a preview shows, and that it asks the service for nothing. */
export const PREVIEWS: readonly Case[] = [
  {
    name: "a preview of a new deployment asks for nothing and creates nothing",
    run: async (stage) => {
      await stage.describe(folder("support"), image("billing"));
      const preview = succeeded(await stage.preview());
      expect(preview.changes).toEqual({ create: 2 });
      expect(stage.asked()).toEqual([]);
      expect((await stage.stack.exported()).resources).toEqual([]);
    },
  },
  {
    name: "a preview of a changed folder says what changed, and a preview of the same one shows nothing",
    run: async (stage) => {
      await stage.deploy(folder("support"));
      stage.asked();
      succeeded(await stage.preview({ expectNoChanges: true }));

      await stage.program.write("agent/support.py", "graph = 2\n");
      const preview = succeeded(await stage.preview());
      expect(preview.changes).toEqual({ update: 1 });
      expect(messagesOf(preview)).toMatch(
        /support: the source changed: 1 changed \(2 files, \d+ bytes(; before: 2 files, \d+ bytes)?\)\./,
      );
      expect(messagesOf(preview).match(/the source changed/g)).toHaveLength(1);
      expect((await stage.preview({ expectNoChanges: true })).ok).toBe(false);
      expect(stage.asked()).toEqual([]);
    },
  },
  {
    name: "a state lists the files of a folder with short hashes, and what changed is one of them",
    run: async (stage) => {
      await stage.deploy(folder("support"));
      const before = await stage.resource("support");
      const hash = expect.stringMatching(/^[\da-f]{8}$/);
      expect(before.inputs["sourceFiles"]).toEqual({ "graph.json": hash, "support.py": hash });
      await stage.program.write("agent/support.py", "graph = 3\n");
      await stage.program.write("agent/lib/new.py", "graph = 4\n");
      succeeded(await stage.up());
      const after = await stage.resource("support");
      const { "graph.json": kept } = Object(before.inputs["sourceFiles"]) as Record<string, unknown>;
      expect(after.inputs["sourceFiles"]).toEqual({ "graph.json": kept, "lib/new.py": hash, "support.py": hash });
      expect(after.inputs["sourceFiles"]).not.toMatchObject(Object(before.inputs["sourceFiles"]));
      expect(after.outputs["sourceFiles"]).toEqual(after.inputs["sourceFiles"]);
    },
  },
  {
    name: "what a state holds for the provider alone is one property that Pulumi does not show",
    run: async (stage) => {
      await stage.deploy(image("billing"), folder("support"));
      for (const name of ["billing", "support"]) {
        const { inputs, outputs } = await stage.resource(name);
        expect(outputs["__internals"]).toMatchObject({ stateVersion: 2, holder: expect.any(String) });
        for (const key of ["holder", "drift", "keyFingerprint", "stateVersion", "ownAddress", "adopted"]) {
          expect(outputs).not.toHaveProperty(key);
        }
        expect(inputs).not.toHaveProperty("__internals");
      }
    },
  },
  {
    name: "a preview reports each reason of an update without a value",
    run: async (stage) => {
      await stage.deploy(image("billing", { secrets: { OPENAI_API_KEY: "sk-plain-one" } }));
      const args = { imageUri: "registry.example/agent:2", secrets: { OPENAI_API_KEY: "sk-plain-two" } };
      await stage.describe(image("billing", args));
      expect(messagesOf(succeeded(await stage.preview()))).toContain("billing: imageUri changed; secrets changed.");
    },
  },
  {
    name: "a preview takes inputs that only the up will know, and the up uses what they become",
    run: async (stage) => {
      const second = {
        name: { $output: "first.managedRevisionId" },
        imageUri: { $output: "first.latestRevisionId" },
        triggers: [{ $output: "first.id" }],
        secrets: { FIRST: { $output: "first.id" } },
      };
      const third = { directory: { path: { $output: "first.createdAt" } } };
      await stage.describe(image("first"), image("second", second), folder("third", third));
      expect(succeeded(await stage.preview()).changes).toEqual({ create: 3 });
      expect(stage.asked()).toEqual([]);

      await stage.describe(image("first"), image("second", second));
      const first = outputsOf(succeeded(await stage.up()), "first");
      const made = stage.deployment(String(first["managedRevisionId"]));
      expect(made.source_revision_config.image_uri).toBe(first["latestRevisionId"]);
      expect(made.secrets.map(({ name }) => name)).toEqual(["FIRST"]);

      await stage.describe(image("first", { imageUri: "registry.example/agent:2" }), image("second", second));
      // What an update may change is not known before it: the second one may become another deployment.
      expect(succeeded(await stage.preview()).changes).toEqual({ update: 1, replace: 1 });
    },
  },
];
