import type { Source } from "../../contract/source.ts";
import type { AgentFleet } from "../agents/fleet.ts";
import type { Agents } from "../agents/agents.ts";
import { build } from "./build.ts";
import type { DeploymentStore } from "../state/deployment-store.ts";
import type { LogStore } from "../state/log-store.ts";
import type { ObjectStore } from "../state/object-store.ts";
import type { RevisionRow, RevisionStore } from "../state/revision-store.ts";
import type { WalkSteps } from "./revision-walk.ts";

export interface StepsOptions {
  readonly deployments: DeploymentStore;
  readonly revisions: RevisionStore;
  readonly objects: ObjectStore;
  readonly logs: LogStore;
  readonly fleet: AgentFleet;
  readonly agents: Agents | undefined;
}

/** The work of a revision's walk: check the source, start the agent, open its address, activate it. */
export function revisionSteps(options: StepsOptions): WalkSteps {
  const { deployments, revisions, objects, logs, agents } = options;
  return {
    async build({ id, config }, source, signal) {
      if (source !== "internal_source") {
        logs.append(id, "build", "INFO", `The local service does not fetch the source ${source}: nothing to build.`);
        return true;
      }
      const file = objects.file(config.source_tarball_path ?? "");
      if (file === undefined) {
        logs.append(id, "build", "ERROR", "The source tarball is missing.");
        return false;
      }
      const graphs = await build({
        file,
        configPath: config.graph_config_path,
        signal,
        log: (level, message) => {
          logs.append(id, "build", level, message);
        },
      });
      if (graphs !== undefined) revisions.setGraphs(id, graphs);
      return graphs !== undefined;
    },

    deploy: (revision, source, signal) => rollOut(revision, source, signal, options),

    activate({ id, deployment_id, graphs }) {
      deployments.activate(deployment_id, id);
      agents?.serve(deployment_id, id);
      const what = graphs === null ? "its graphs are unknown" : `graphs: ${graphs.join(", ")}`;
      logs.append(id, "deploy", "INFO", `This revision serves now; ${what}.`);
    },

    async leave(id) {
      await agents?.drop(id);
    },
  };
}

async function rollOut(
  revision: RevisionRow,
  source: Source,
  signal: AbortSignal,
  { deployments, logs, fleet, agents }: StepsOptions,
): Promise<string | undefined> {
  const { id, deployment_id } = revision;
  const deployment = deployments.get(deployment_id);
  if (deployment === undefined) return undefined;
  const failure = source === "internal_source" ? await agents?.start(revision, signal) : undefined;
  if (failure !== undefined) {
    logs.append(id, "deploy", "ERROR", failure);
    return failure;
  }
  const url = await fleet.open(deployment);
  // The deployment may have been deleted in the meantime.
  if (deployments.get(deployment_id) === undefined) await fleet.remove(deployment_id);
  else logs.append(id, "deploy", "INFO", `The agent server listens at ${url}.`);
  return undefined;
}
