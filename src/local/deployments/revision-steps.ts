import type { LogLevel } from "../../contract/deployment.ts";
import { posix } from "node:path";
import { readRecordedAnswers, RECORDED_ANSWERS } from "../agent-server/recorded-answers.ts";
import type { AgentFleet } from "../agents/fleet.ts";
import type { Agents } from "../agents/agents.ts";
import type { DeploymentStore } from "../state/deployment-store.ts";
import type { LogStore } from "../state/log-store.ts";
import type { ObjectStore } from "../state/object-store.ts";
import type { RevisionStore } from "../state/revision-store.ts";
import type { WalkSteps } from "./revision-walk.ts";
import { DEFAULT_GRAPH_CONFIG, parseGraphConfig, type GraphConfig } from "../../contract/graph-config.ts";
import { judgeProject } from "../../contract/project-findings.ts";
import type { ProjectFiles } from "../../contract/project-files.ts";
import type { ArchiveTree } from "../archive/tree.ts";
import { ArchiveError, readArchive } from "../archive/reader.ts";

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
  const { deployments, revisions, objects, logs, fleet, agents } = options;
  return {
    async build({ id, source, source_revision_config: config }, signal) {
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
        replays: !agents,
        log: (level, message) => {
          logs.append(id, "build", level, message);
        },
      });
      if (graphs) revisions.setGraphs(id, graphs);
      return graphs !== undefined;
    },

    async deploy(revision, signal) {
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

interface BuildInput {
  /** The uploaded tarball. */
  readonly file: string;
  /** Null if the client left it out, which compat allows. */
  readonly configPath: string | null;
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
  const { log } = input;
  const configPath = posix.normalize(input.configPath ?? DEFAULT_GRAPH_CONFIG);
  try {
    const source = await readSource(input, configPath);
    log("INFO", `Unpacked the archive: files ${String(source.tree.files)}, bytes ${String(source.bytes)}.`);
    const config = readConfig(source, configPath, log);
    if (!config || !(await checkConfig(config, source.tree, configPath, input))) return undefined;
    const graphs = config.graphs.map(({ id }) => id);
    log("INFO", `Graphs: ${graphs.join(", ")}.`);
    if (input.replays && source.tree.resolve(posix.join(posix.dirname(configPath), RECORDED_ANSWERS))) {
      const { faults } = await readRecordedAnswers(input.file, configPath, input.signal);
      for (const fault of faults) log("WARNING", `${RECORDED_ANSWERS}: ${fault}`);
    }
    return graphs;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    log("ERROR", `The archive is invalid: ${error.message}.`);
    return undefined;
  }
}

interface Unpacked {
  readonly tree: ArchiveTree;
  readonly config: Buffer | undefined;
  readonly bytes: number;
}

async function readSource({ file, signal }: BuildInput, configPath: string): Promise<Unpacked> {
  const first = await readArchive(file, { needed: new Set([configPath]) }, { signal });
  const place = first.tree.resolve(configPath);
  const config = first.contents.get(configPath);
  if (config || place?.kind !== "file") return { tree: first.tree, config, bytes: first.bytes };
  // The path goes through a link, which only the complete tree can resolve.
  const second = await readArchive(file, { needed: new Set([place.path]) }, { signal });
  return { tree: first.tree, config: second.contents.get(place.path), bytes: first.bytes };
}

function readConfig(source: Unpacked, configPath: string, log: BuildInput["log"]): GraphConfig | undefined {
  if (!source.config) {
    log("ERROR", `The configuration file ${configPath} is not in the archive.`);
    return undefined;
  }
  const result = parseGraphConfig(source.config.toString("utf8"));
  if (result.ok) return result.config;
  for (const error of result.faults) log("ERROR", `${configPath}: ${error}`);
  return undefined;
}

// Packaging files first, then the modules that these lead to.
const PASSES = 3;

/** Logs all that the files show, so that one build is enough to find it; false if the project cannot be built. */
async function checkConfig(
  config: GraphConfig,
  tree: ArchiveTree,
  configPath: string,
  { file, log, signal }: BuildInput,
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
