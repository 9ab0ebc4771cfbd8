import type { LogLevel } from "../../contract/deployment.ts";
import { posix } from "node:path";
import { readRecordedAnswers, RECORDED_ANSWERS } from "../agent-server/recorded-answers.ts";
import type { AgentFleet } from "../agents/fleet.ts";
import type { Agents } from "../agents/agents.ts";
import type { Shared } from "../state/shared.ts";
import type { RevisionRow } from "../state/revision-store.ts";
import { DEFAULT_GRAPH_CONFIG, parseGraphConfig, type GraphConfig } from "../../contract/graph-config.ts";
import { judgeProject } from "../../contract/project-findings.ts";
import type { ProjectFiles } from "../../contract/project-files.ts";
import type { ArchiveTree } from "../archive/tree.ts";
import { ArchiveError, readArchive } from "../archive/reader.ts";

export interface StepsOptions extends Shared {
  readonly fleet: AgentFleet;
  readonly agents: Agents | undefined;
}

/** The work of a revision's walk: check the source, start the agent, open its address, activate it. */
export function revisionSteps(options: StepsOptions) {
  const { deployments, revisions, objects, logs, fleet, agents } = options;
  return {
    /** False if the build fails. */
    async build({ id, source, source_revision_config: config }: RevisionRow, signal: AbortSignal): Promise<boolean> {
      const log = (level: LogLevel, message: string) => {
        logs.append(id, "build", level, message);
      };
      if (source !== "internal_source") {
        log("INFO", `The local service does not fetch the source ${source}: nothing to build.`);
        return true;
      }
      const file = objects.file(config.source_tarball_path ?? "");
      if (file === undefined) {
        log("ERROR", "The source tarball is missing.");
        return false;
      }
      // A client may leave it out, which compat allows.
      const configPath = posix.normalize(config.graph_config_path ?? DEFAULT_GRAPH_CONFIG);
      const graphs = await build({ file, configPath, replays: !agents, log, signal });
      if (graphs) revisions.setGraphs(id, graphs);
      return graphs !== undefined;
    },

    /** Starts the deployment's agent server. Returns why that failed; an empty text if it runs. */
    async deploy(revision: RevisionRow, signal: AbortSignal): Promise<string> {
      const { id, deployment_id, source } = revision;
      const deployment = deployments.get(deployment_id);
      if (!deployment) return "";
      const failure = source === "internal_source" && agents ? await agents.start(revision, signal) : "";
      if (failure !== "") {
        logs.append(id, "deploy", "ERROR", failure);
        return failure;
      }
      const url = await fleet.open(deployment);
      // The deployment may have been deleted in the meantime.
      if (!deployments.get(deployment_id)) await fleet.remove(deployment_id);
      else logs.append(id, "deploy", "INFO", `The agent server listens at ${url}.`);
      return "";
    },

    /** Makes this revision serve. */
    activate({ id, deployment_id, graphs }: RevisionRow): void {
      deployments.activate(deployment_id, id);
      agents?.serve(deployment_id, id);
      const what = graphs === null ? "its graphs are unknown" : `graphs: ${graphs.join(", ")}`;
      logs.append(id, "deploy", "INFO", `This revision serves now; ${what}.`);
    },

    /** After every walk: stops what was started for a revision that does not serve. */
    async leave(id: string): Promise<void> {
      await agents?.drop(id);
    },
  };
}

/** The work behind the statuses of a walk. */
export type RevisionSteps = ReturnType<typeof revisionSteps>;

interface BuildInput {
  /** The uploaded tarball. */
  readonly file: string;
  readonly configPath: string;
  /** The built-in agent answers for it, from recorded answers where it has some. */
  readonly replays: boolean;
  readonly log: (level: LogLevel, message: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Builds a revision as far as a local service does: reads the tarball and its configuration file, and checks that the
 * files it names are there. Returns the graphs, or undefined if the build fails; the log has the reason.
 */
async function build(input: BuildInput): Promise<readonly string[] | undefined> {
  const { file, configPath, replays, log, signal } = input;
  try {
    const { tree, contents, bytes } = await readArchive(file, { needed: new Set([configPath]) }, { signal });
    let content = contents.get(configPath);
    const place = tree.resolve(configPath);
    if (!content && place?.kind === "file") {
      // The path goes through a link, which only the complete tree can resolve.
      const second = await readArchive(file, { needed: new Set([place.path]) }, { signal });
      content = second.contents.get(place.path);
    }
    log("INFO", `Unpacked the archive: files ${String(tree.files)}, bytes ${String(bytes)}.`);
    if (!content) {
      log("ERROR", `The configuration file ${configPath} is not in the archive.`);
      return undefined;
    }
    const read = parseGraphConfig(content.toString("utf8"));
    if (!read.ok) for (const fault of read.faults) log("ERROR", `${configPath}: ${fault}`);
    if (!read.ok || !(await checkConfig(read.config, tree, input))) return undefined;
    const graphs = read.config.graphs.map(({ id }) => id);
    log("INFO", `Graphs: ${graphs.join(", ")}.`);
    if (replays && tree.resolve(posix.join(posix.dirname(configPath), RECORDED_ANSWERS))) {
      const { faults } = await readRecordedAnswers(file, configPath, signal);
      for (const fault of faults) log("WARNING", `${RECORDED_ANSWERS}: ${fault}`);
    }
    return graphs;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    log("ERROR", `The archive is invalid: ${error.message}.`);
    return undefined;
  }
}

// Packaging files first, then the modules that these lead to.
const PASSES = 3;

/** Logs all that the files show, so that one build is enough to find it; false if the project cannot be built. */
async function checkConfig(
  config: GraphConfig,
  tree: ArchiveTree,
  { file, configPath, log, signal }: BuildInput,
): Promise<boolean> {
  const at = (path: string) => tree.resolve(`${posix.dirname(configPath)}/${path}`);
  // Undefined for one that is too long.
  const contents = new Map<string, string | undefined>();
  let wanted = new Set<string>();
  const files: ProjectFiles = {
    kindOf: (path) => at(path)?.kind,
    read: (path) => {
      const place = at(path);
      if (place?.kind !== "file") return undefined;
      if (!contents.has(place.path)) wanted.add(place.path);
      return contents.get(place.path);
    },
    problemOf: (path) => ({ text: at(path)?.kind === "directory" ? "is a directory, not a file" : MISSING }),
    problemOfDirectory: (path) => (at(path)?.kind === "directory" ? undefined : { text: MISSING }),
  };
  let findings = judgeProject(config, files);
  for (let pass = 0; pass < PASSES && wanted.size > 0; pass += 1) {
    const asked = wanted;
    wanted = new Set();
    const read = await readArchive(file, { spare: asked }, { signal });
    for (const path of asked) contents.set(path, read.contents.get(path)?.toString("utf8"));
    findings = judgeProject(config, files);
  }
  for (const { level, message } of findings) log(level === "error" ? "ERROR" : "WARNING", `${configPath}: ${message}`);
  if (config.envFile !== undefined && !at(config.envFile)) {
    log("WARNING", `The env file ${config.envFile} is not in the archive; set the deployment's secrets instead.`);
  }
  return findings.every(({ level }) => level === "warning");
}

const MISSING = "is not in the archive";
