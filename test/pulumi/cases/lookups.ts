import { expect } from "vitest";
import { image } from "../program.ts";
import { failure, outputsOf, succeeded } from "../stage.ts";
import type { Case } from "./case.ts";

/** Reading what this program did not make. */
export const LOOKUPS: readonly Case[] = [
  {
    name: "a deployment of another user is read by its id and by its name, and never changed nor deleted",
    run: async (stage) => {
      const { id, latest_revision_id } = await stage.foreignImage("billing");
      await stage.describe({ name: "by-id", get: id }, { name: "by-name", get: "billing" });
      succeeded(await stage.preview());
      const up = succeeded(await stage.up());
      for (const name of ["by-id", "by-name"]) {
        expect(outputsOf(up, name)).toMatchObject({
          name: "billing",
          source: "external_docker",
          latestRevisionId: latest_revision_id,
        });
        if (stage.type.plugin === undefined) {
          expect((await stage.resource(name)).outputs).toMatchObject({ managedRevisionId: null });
        }
      }
      succeeded(await stage.refresh());
      succeeded(await stage.up());
      succeeded(await stage.destroy());
      expect(stage.changed()).toEqual([]);
      expect(stage.deployment("billing").id).toBe(id);
    },
  },
  {
    name: "a deployment that is read and does not exist fails the run, by its name and by its id",
    run: async (stage) => {
      for (const get of ["nobody", "00000000-0000-4000-8000-000000000000"]) {
        await stage.describe({ name: "missing", get });
        expect(failure(await stage.preview())).toContain(`No deployment has the id or the name ${get}.`);
        expect(failure(await stage.up())).toContain(`No deployment has the id or the name ${get}.`);
      }
      expect(await stage.find("missing")).toBeUndefined();
    },
  },
  {
    name: "a deployment that is read and goes away is forgotten by a refresh",
    run: async (stage) => {
      const { id } = await stage.foreignImage("billing");
      await stage.describe({ name: "theirs", get: "billing" });
      succeeded(await stage.up());
      await stage.foreign("DELETE", `/v2/deployments/${id}`);
      succeeded(await stage.refresh());
      expect(await stage.find("theirs")).toBeUndefined();
    },
  },
  {
    name: "getDeployment finds by name and by id while the program runs, in a preview too",
    run: async (stage) => {
      const { id } = await stage.foreignImage("billing");
      const lookups = { byName: { name: "billing" }, byId: { id } };
      await stage.program.describe([image("tools")], { ...lookups, later: { id: { $output: "tools.id" } } });
      succeeded(await stage.preview());
      const { outputs } = succeeded(await stage.up());
      expect(outputs["found"]).toMatchObject({
        byName: { id, name: "billing", source: "external_docker", latestRevisionId: expect.any(String) },
        byId: { id, name: "billing" },
        later: { id: stage.deployment("tools").id, name: "tools", status: "DEPLOYED" },
      });

      await stage.program.describe([], { missing: { name: "nobody" } });
      const said = failure(await stage.up());
      expect(said).toContain("No deployment has the id or the name nobody.");
      // That of a function of a plugin is the SDK's.
      if (stage.type.plugin === undefined) expect(said).not.toMatch(/\n\s+at /);
    },
  },
];
