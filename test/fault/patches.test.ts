import { test } from "vitest";
import type { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { Deployment } from "../../src/contract/deployment.ts";
import { mayHaveBeenProcessed } from "../../src/http/errors.ts";
import { CALL, settled, type Operation, type Scene, type Verdict } from "./campaign.ts";
import type { MadeDeployment } from "./lenient-service.ts";
import { disprove, prove } from "./proof.ts";

const only = process.env["FAULT_SEED"];
const OURS = "objects/ours";
const OF_NEXT_RUN = "objects/of-the-next-run";

/** A deployment that is there, and that another user updates too, now and then. */
function subject({ service, random }: Scene): MadeDeployment {
  service.othersFollow = random() < 0.3;
  return service.add("support-agent", { source_tarball_path: "objects/before", graph_config_path: "graph.json" });
}

/** The update of a run, which has a tarball of its own. */
function update({ plane }: Scene, { id, revisions }: MadeDeployment, tarball: string) {
  const context = { source: "internal_source", latestRevisionId: revisions.at(-1)?.id ?? null } as const;
  return settled(plane.patch(id, { source_revision_config: { source_tarball_path: tarball } }, context, CALL));
}

const madeOf = ({ revisions }: MadeDeployment, tarball: string) =>
  revisions.filter(({ config }) => config["source_tarball_path"] === tarball).map(({ id }) => id);

/** What there is of our tarball, however the call ended, and whether the next run can update what is there. */
async function judge(
  scene: Scene,
  deployment: MadeDeployment,
  outcome: { readonly value: Deployment } | { readonly error: GraphDeployError },
): Promise<Verdict> {
  const made = madeOf(deployment, OURS);
  const duplicate = made.length > 1;
  await scene.calm();
  if ("value" in outcome) {
    const isOurs = made.includes(outcome.value.latest_revision_id ?? "");
    return { ok: true, duplicate, lost: made.length === 0, falseGreen: !isOurs };
  }
  const isSilent = made.length > 0 && !mayHaveBeenProcessed(outcome.error);
  const isNamed = outcome.error.message.includes(deployment.id);
  const next = await update(scene, deployment, OF_NEXT_RUN);
  const isRepaired = "value" in next && madeOf(deployment, OF_NEXT_RUN).length === 1;
  return { ok: false, duplicate, lost: isSilent || !isNamed || !isRepaired, falseGreen: false };
}

const patches: Operation = {
  name: "patch",
  runsPerCell: 25,
  run: async (scene) => {
    const deployment = subject(scene);
    return judge(scene, deployment, await update(scene, deployment, OURS));
  },
};

/** A client that sends again whatever failed. */
const blindPatches: Operation = {
  name: "blind patch",
  runsPerCell: 10,
  run: async (scene) => {
    const deployment = subject(scene);
    const body = { source_revision_config: { source_tarball_path: OURS } };
    const request = { ...CALL, method: "PATCH", path: `/v2/deployments/${deployment.id}`, body } as const;
    for (let attempt = 1; ; attempt += 1) {
      const sent = await settled(scene.plane.request({ ...request, schema: Deployment }));
      if ("value" in sent || attempt === 4) return judge(scene, deployment, sent);
    }
  },
};

test("no update that meets faults makes a second revision, loses one or is green for nothing", async () => {
  await prove(patches, { title: "Updates", file: "patches", leastRuns: 600, only });
});

test.runIf(only === undefined)("the same faults make a client that blindly sends again make more of them", async () => {
  await disprove(blindPatches, "Updates");
});
