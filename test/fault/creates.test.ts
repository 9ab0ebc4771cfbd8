import { test } from "vitest";
import * as z from "zod";
import type { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { NameTakenError } from "../../src/control-plane/errors.ts";
import { mayHaveBeenProcessed } from "../../src/http/errors.ts";
import { CALL, settled, type Operation, type Scene, type Verdict } from "./campaign.ts";
import { disprove, prove } from "./proof.ts";

const only = process.env["FAULT_SEED"];
const NAME = "support-agent";
const Id = z.looseObject({ id: z.string() });
const body = {
  name: NAME,
  source: "internal_source",
  source_config: {},
  source_revision_config: { graph_config_path: "graph.json" },
  secrets: [],
} as const;

/** What there is of the name, however the call ended, and whether the next run works on just that. */
async function judge(
  { service, plane, calm }: Scene,
  outcome: { readonly value: string } | { readonly error: GraphDeployError },
): Promise<Verdict> {
  const before = service.deployments.map(({ id }) => id);
  await calm();
  const next = await settled(plane.findByName(NAME));
  const found = "value" in next ? next.value?.id : undefined;
  const [first] = before;
  if ("value" in outcome) {
    const isThere = before.includes(outcome.value);
    return { ok: true, duplicate: before.length > 1, lost: before.length === 0, falseGreen: !isThere };
  }
  const isSilent = first !== undefined && !admits(outcome.error);
  return { ok: false, duplicate: before.length > 1, lost: isSilent || found !== first, falseGreen: false };
}

/** True for an error that leaves it open whether the deployment is there, or names it. */
function admits(error: GraphDeployError): boolean {
  return mayHaveBeenProcessed(error) || error instanceof NameTakenError || error.message.includes(NAME);
}

const creates: Operation = {
  name: "create",
  runsPerCell: 50,
  run: async (scene) => {
    const created = await settled(scene.plane.create(body, CALL));
    return judge(scene, "value" in created ? { value: created.value.deployment.id } : created);
  },
};

/** A client that sends again whatever failed, as many do: what the others must not share with it. */
const blindCreates: Operation = {
  name: "blind create",
  runsPerCell: 10,
  run: async (scene) => {
    for (let attempt = 1; ; attempt += 1) {
      const sent = await settled(
        scene.plane.request({ ...CALL, method: "POST", path: "/v2/deployments", body, schema: Id }),
      );
      if ("value" in sent) return judge(scene, { value: sent.value.id });
      if (attempt === 4) return judge(scene, sent);
    }
  },
};

test("no create that meets faults makes a second deployment, loses one or is green for nothing", async () => {
  await prove(creates, { title: "Creates", file: "creates", leastRuns: 1_200, only });
});

test.runIf(only === undefined)("the same faults make a client that blindly sends again create duplicates", async () => {
  await disprove(blindCreates, "Creates");
});
