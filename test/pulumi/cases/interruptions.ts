import { expect, vi } from "vitest";
import { EXACT_IMAGE, image } from "../program.ts";
import { failure, namedLine, outputsOf, PATIENCE, succeeded, type Stage } from "../stage.ts";
import type { Case } from "./case.ts";

/** Resolves when the revision is as far as it comes, and somebody has looked at it. */
async function isHeld(stage: Stage, name: string, status: string): Promise<void> {
  const looks = () => stage.service.requests.filter(({ path }) => path.includes("/revisions/"));
  await vi.waitFor(() => expect(looks().length).toBeGreaterThan(0), PATIENCE);
  await vi.waitFor(() => expect(stage.revisions(name)[0]?.status).toBe(status), PATIENCE);
}

/** What a Ctrl-C leaves behind, and what a user sees of a wait. */
export const INTERRUPTIONS: readonly Case[] = [
  {
    name: "status lines with the name of the deployment arrive while the wait runs",
    run: async (stage) => {
      stage.service.faults.nextRevision({ hold: "DEPLOYING" });
      await stage.describe(image("billing"));
      const lines: string[] = [];
      const running = stage.up({
        onLog: (line) => {
          if (line.ephemeral) lines.push(namedLine(line));
        },
      });
      await vi.waitFor(() => expect(lines.join("\n")).toMatch(/billing: .*DEPLOYING/), PATIENCE);
      expect(lines).toContain(`billing: created deployment ${stage.deployment("billing").id}`);
      stage.service.faults.revisions.release();
      succeeded(await running);
      expect(lines.join("\n")).toMatch(/billing: DEPLOYED after/);
    },
  },
  {
    name: "an up that is interrupted in its wait ends at once, and the next one takes up the same revision",
    run: async (stage) => {
      stage.service.faults.nextRevision({ hold: "DEPLOYING" });
      await stage.describe(image("billing"));
      const running = stage.up();
      await isHeld(stage, "billing", "DEPLOYING");
      await stage.stack.cancel();
      failure(await running);

      const [revision] = stage.revisions("billing");
      const { id } = stage.deployment("billing");
      expect((await stage.stack.exported()).pendingOperations).toEqual([]);
      expect(await stage.resource("billing")).toMatchObject({
        id,
        outputs: { managedRevisionId: revision?.id, __internals: { pending: "wait" } },
      });
      stage.asked();
      stage.service.faults.revisions.release();
      expect(outputsOf(succeeded(await stage.up()), "billing")).toMatchObject({ id, status: "DEPLOYED" });
      expect(stage.changed()).toEqual([]);
      expect(stage.revisions("billing")).toHaveLength(1);
    },
  },
  {
    name: "an update that is interrupted in its wait keeps the revision, and the next up takes it up",
    run: async (stage) => {
      await stage.deploy(image("billing"));
      stage.service.faults.nextRevision({ hold: "DEPLOYING" });
      await stage.describe(image("billing", { imageUri: "registry.example/agent:2" }));
      const running = stage.up();
      await vi.waitFor(() => expect(stage.revisions("billing").length).toBe(2), PATIENCE);
      await isHeld(stage, "billing", "DEPLOYING");
      await stage.stack.cancel();
      failure(await running);
      stage.asked();

      stage.service.faults.revisions.release();
      succeeded(await stage.up());
      expect(stage.changed()).toEqual([]);
      expect(await stage.resource("billing")).toMatchObject({
        inputs: { imageUri: "registry.example/agent:2" },
        outputs: { status: "DEPLOYED", managedRevisionId: stage.revisions("billing")[0]?.id },
      });
    },
  },
  {
    name: "an up that is killed leaves an open operation, and the next one takes the deployment over where it may",
    run: async (stage) => {
      stage.service.faults.nextRevision({ hold: "DEPLOYING" });
      await stage.describe(image("billing", { imageUri: EXACT_IMAGE }));
      const running = stage.up();
      await isHeld(stage, "billing", "DEPLOYING");
      await stage.stack.interrupt();
      expect((await running).ok).toBe(false);
      const { pendingOperations, resources } = await stage.stack.exported();
      expect(pendingOperations).toEqual([{ type: "creating", name: "billing" }]);
      expect(resources).toEqual([]);

      stage.service.faults.clear();
      // Only a plugin hears which resource a call is about, and knows its own again.
      if (stage.type.plugin === undefined) {
        expect(failure(await stage.up())).toContain("billing already exists");
        await stage.describe(image("billing", { adopt: "ifExists", imageUri: EXACT_IMAGE }));
      }
      succeeded(await stage.up());
      expect(stage.revisions("billing")).toHaveLength(1);
      expect(await stage.resource("billing")).toMatchObject({ id: stage.deployment("billing").id });
    },
  },
];
