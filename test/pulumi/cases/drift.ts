import { expect } from "vitest";
import { folder, image } from "../program.ts";
import { failure, succeeded, messagesOf, type Stage } from "../stage.ts";
import type { Case } from "./case.ts";

const FOREVER = { times: Number.POSITIVE_INFINITY };

async function foreignRevision(stage: Stage, name: string): Promise<string> {
  const { id } = stage.deployment(name);
  const source_revision_config = { image_uri: "registry.example/agent:theirs" };
  await stage.foreign("PATCH", `/v2/deployments/${id}`, { source_revision_config });
  return stage.revisions(name)[0]?.id ?? "";
}

/** A refresh that is answered with this status must leave the state as it was. */
function unanswered(status: number, words: RegExp): Case {
  return {
    name: `a refresh that gets ${status} fails, and deletes nothing from the state`,
    run: async (stage) => {
      await stage.deploy(image("billing"), folder("support"));
      const before = await stage.resource("billing");
      const body = { detail: "not now" };
      const fault = stage.service.faults.add({
        ...FOREVER,
        match: { method: "GET" },
        do: { kind: "answer", status, body },
      });
      const said = failure(await stage.refresh());
      expect(said).toMatch(words);
      expect(await stage.resource("billing")).toEqual(before);
      expect(await stage.find("support")).toBeDefined();

      fault.remove();
      expect(succeeded(await stage.refresh()).changes).toEqual({ same: 2 });
    },
  };
}

/** What changes outside of the program, and what a refresh and the next up make of it. */
export const DRIFT: readonly Case[] = [
  {
    name: "a refresh finds a revision of another user, and the next up deploys over it",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      const ours = (await stage.resource("billing")).outputs["managedRevisionId"];
      const theirs = await foreignRevision(stage, "billing");
      expect(succeeded(await stage.refresh()).changes).toEqual({ update: 1 });
      expect((await stage.resource("billing")).outputs).toMatchObject({
        latestRevisionId: theirs,
        managedRevisionId: ours,
        imageUri: "registry.example/agent:theirs",
      });
      // An engine of dynamic resources compares inputs: they say what runs, too.
      expect((await stage.resource("billing")).inputs).toMatchObject({ imageUri: "registry.example/agent:theirs" });
      stage.asked();
      const up = succeeded(await stage.up());
      expect(messagesOf(up)).toContain(
        `billing: imageUri differs in the service; revision ${theirs} was made outside this program.`,
      );
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      expect(stage.deployment("billing").source_revision_config.image_uri).toBe("registry.example/agent:1");
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "a refresh shows the archive that another user went back to, and the next up uploads the folder",
    run: async (stage) => {
      await stage.deploy(folder("support"));
      const earlier = (await stage.resource("support")).outputs["sourceTarballPath"];
      await stage.program.write("agent/support.py", "graph = 2\n");
      succeeded(await stage.up());
      const ours = (await stage.resource("support")).outputs;
      expect(new Set([earlier, ours["sourceTarballPath"]]).size).toBe(2);
      const { id } = stage.deployment("support");
      const source_revision_config = { source_tarball_path: earlier };
      await stage.foreign("PATCH", `/v2/deployments/${id}`, { source_revision_config });
      succeeded(await stage.refresh());
      const { inputs, outputs } = await stage.resource("support");
      for (const properties of [inputs, outputs]) {
        expect(properties["sourceTarballPath"]).toBe(earlier);
        // What is in it, nothing here knows.
        expect(properties["sourceHash"] ?? null).toBeNull();
        expect(properties["sourceFiles"] ?? null).toBeNull();
      }
      stage.asked();
      expect(messagesOf(succeeded(await stage.up()))).toContain("support: the service has another archive");
      expect(stage.changed()).toEqual(["PATCH /v2/deployments/ID"]);
      const again = await stage.resource("support");
      expect(again.outputs).toMatchObject({ sourceHash: ours["sourceHash"], sourceFiles: ours["sourceFiles"] });
      expect(again.inputs).not.toHaveProperty("sourceTarballPath");
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "a revision of another user is left alone where the program ignores such",
    run: async (stage) => {
      await stage.deploy(image("billing", { revisionDrift: "ignore" }));
      await foreignRevision(stage, "billing");
      succeeded(await stage.refresh());
      stage.asked();
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
      expect(stage.asked()).toEqual([]);
      expect(stage.deployment("billing").source_revision_config.image_uri).toBe("registry.example/agent:theirs");
    },
  },
  {
    name: "without a refresh an up does not look for drift",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      await foreignRevision(stage, "billing");
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
      expect(stage.asked()).toEqual([]);
    },
  },
  {
    name: "a refresh finds settings and secrets that a user changed, and the next up sets them again",
    run: async (stage) => {
      const args = { secrets: { A: "sk-plain-a" }, sourceConfig: { resource_spec: { cpu: 1 } } };
      await stage.deploy(image("billing", args));
      const { id } = stage.deployment("billing");
      const source_config = { resource_spec: { cpu: 9 } };
      await stage.foreign("PATCH", `/v2/deployments/${id}`, {
        source_config,
        secrets: [{ name: "B", value: "b" }],
      });
      expect(succeeded(await stage.refresh()).changes).toEqual({ update: 1 });
      const seen = await stage.resource("billing");
      for (const { sourceConfig, secrets: names } of [seen.inputs, seen.outputs]) {
        expect(sourceConfig).toEqual({ resource_spec: { cpu: 9 } });
        expect(JSON.stringify(names)).not.toContain("sk-plain-a");
      }
      // A second look finds nothing new; what the first one found is still to be done.
      expect(succeeded(await stage.refresh()).changes).toEqual({ same: 1 });
      const up = succeeded(await stage.up());
      for (const what of ["sourceConfig differs in the service", "secrets differs in the service"]) {
        expect(messagesOf(up)).toContain(what);
      }
      const { source_config: settings, secrets } = stage.deployment("billing");
      expect(settings).toMatchObject({ resource_spec: { cpu: 1 } });
      expect(secrets.map(({ name }) => name)).toEqual(["A"]);
      succeeded(await stage.refresh());
      expect(succeeded(await stage.up()).changes).toEqual({ same: 1 });
    },
  },
  {
    name: "a refresh forgets a deployment that is gone, and the next up creates it",
    run: async (stage) => {
      await stage.deploy(image("billing"), folder("support"));
      const { id } = stage.deployment("billing");
      await stage.foreign("DELETE", `/v2/deployments/${id}`);
      expect(succeeded(await stage.refresh()).changes).toEqual({ delete: 1, same: 1 });
      expect(await stage.find("billing")).toBeUndefined();
      expect(succeeded(await stage.up()).changes).toEqual({ create: 1, same: 1 });
      expect(stage.deployment("billing").id).not.toBe(id);
    },
  },
  {
    name: "one 404 of a gateway does not make a refresh forget a deployment",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      stage.service.faults.add({ match: { method: "GET" }, do: { kind: "answer", status: 404, body: "no route" } });
      expect(succeeded(await stage.refresh()).changes).toEqual({ same: 1 });
      expect(await stage.find("billing")).toBeDefined();
    },
  },
  unanswered(401, /API key|401/),
  unanswered(403, /403/),
  unanswered(503, /503/),
];
