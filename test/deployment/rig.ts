import { testWith } from "../test-with.ts";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  connect,
  deploy,
  dryRun,
  Redactor,
  type Clock,
  type Connection,
  type DeployDeps,
  type DeployEvent,
  type DeployRequest,
} from "../../src/index.ts";
import { startLocalService, type LocalService, type LocalServiceOptions } from "../../src/local/index.ts";
import { FastClock } from "../wire/clocks.ts";
import { writeFiles } from "../write-files.ts";

export const API_KEY = "key-of-the-rig-0123456789";

/** A project of two graphs, in files. */
const PROJECT: Readonly<Record<string, string>> = {
  "graph.json": JSON.stringify({
    graphs: { support: "./src/support.py:graph", triage: "./src/triage.py:graph" },
    dependencies: ["./src"],
  }),
  "src/support.py": "graph = 1\n",
  "src/triage.py": "graph = 2\n",
};

export interface Rig {
  readonly service: LocalService;
  readonly directory: string;
  /** The folder that archives are spooled to; empty again after each deploy. */
  readonly spool: string;
  readonly connection: Connection;
  readonly deps: DeployDeps;
  readonly events: readonly DeployEvent[];
  readonly cancel: AbortController;
  request(change?: Partial<DeployRequest>): DeployRequest;
  deploy(change?: Partial<DeployRequest>): ReturnType<typeof deploy>;
  dryRun(change?: Partial<DeployRequest>): ReturnType<typeof dryRun>;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** The events of one type. */
  of<Type extends DeployEvent["type"]>(type: Type): readonly Extract<DeployEvent, { type: Type }>[];
  /** `METHOD /path` of every request to the service so far, ids replaced by their kind. */
  requests(): readonly string[];
}

/** A local service, a project and the workflow between them, by default on a clock that takes no time; everything ends with the test. */
export async function rig(
  options: LocalServiceOptions = {},
  files = PROJECT,
  clock: Clock = new FastClock(),
): Promise<Rig> {
  const service = await startLocalService({ walkMilliseconds: 20, apiKey: API_KEY, keepBodies: true, ...options });
  const root = await mkdtemp(join(tmpdir(), "graph-deploy-rig-"));
  const [directory, spool] = [join(root, "project"), join(root, "spool")];
  await mkdir(spool);
  const cancel = new AbortController();
  const redactor = new Redactor();
  // Without chance, retries follow each other at once.
  const random = () => 0;
  const connection = connect({ url: service.url, apiKey: API_KEY, signal: cancel.signal, redactor, random, clock });
  onTestFinished(async () => {
    await connection[Symbol.asyncDispose]();
    await service.close();
    await rm(root, { recursive: true, force: true });
  });
  const events: DeployEvent[] = [];
  const write = async (contents: Readonly<Record<string, string>>) => {
    await writeFiles(directory, contents);
  };
  await write(files);
  const request = (change: Partial<DeployRequest> = {}): DeployRequest => ({
    target: { name: "support-agent" },
    source: {
      source: "internal_source",
      directory,
      workspace: directory,
      graphConfig: "graph.json",
      include: [],
      exclude: [],
      maxBytes: 1_000_000,
    },
    sourceConfig: {},
    secrets: undefined,
    wait: true,
    timeoutMilliseconds: 60_000,
    pollCapMilliseconds: 10,
    onSuperseded: "fail",
    smokeTest: true,
    ...change,
  });
  const deps = {
    ...connection,
    clock,
    spoolDirectory: spool,
    signal: cancel.signal,
    emit: (event: DeployEvent) => {
      events.push(event);
    },
  };
  return {
    service,
    directory,
    spool,
    connection,
    deps,
    events,
    cancel,
    request,
    deploy: (change) => deploy(request(change), deps),
    dryRun: (change) => dryRun(request(change), deps),
    write,
    of: (type) => events.filter((event): event is Extract<DeployEvent, { type: typeof type }> => event.type === type),
    requests: () =>
      service.requests
        .filter(({ server }) => server === "service")
        .map(({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")}`),
  };
}

export const withRig = testWith(rig);

interface SlowDelete {
  readonly service: LocalService;
  readonly clock: FastClock;
  readonly controlPlane: Connection["controlPlane"];
  readonly deploymentId: string;
}

/** From now on the service needs until the next pause of the clock to delete the deployment. */
export function deleteDuringPause({ service, clock, controlPlane, deploymentId }: SlowDelete): void {
  const { conditions } = service.faults;
  conditions.deleteMilliseconds = 600_000;
  clock.meanwhile = async () => {
    conditions.deleteMilliseconds = 0;
    await controlPlane.delete(deploymentId, { deleteTracingProject: true });
  };
}
