import type { Deployment, Revision } from "../../../src/contract/deployment.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";
import type { SourceArchive } from "../../../src/source/archive/archive.ts";
import type { SourceEntry } from "../../../src/source/entry/entry.ts";
import type { SourceTree } from "../../../src/source/tree/tree.ts";

export const WORKSPACE = "/home/runner/work/shop";
export const DEPLOYMENT = "0f8fad5b-d9cb-469f-a165-70867728950e";
export const REVISION = "7c1a64e2-7d3c-4b0e-9a51-2f6f0a6f1c11";
export const REVISION_BEFORE = "99d0c0de-1111-4222-8333-444455556666";
export const REVISION_EARLIER = "11d0c0de-2222-4222-8333-444455556666";
export const URL_OF_AGENT = "https://support-agent.example";
export const PAGE = "https://graph.example/o/t/host/deployments/d";
export const TRACE_PAGE = "http://127.0.0.1:8123/o/-/traces/t1";

function file(path: string, size: number): SourceEntry {
  return { path, type: "file", size, mode: 0o644 };
}

const ENTRIES: readonly SourceEntry[] = [
  file("data/cities.csv", 31_200),
  file("graph.json", 180),
  { path: "latest.csv", type: "symlink", size: 0, mode: 0o644, target: "data/cities.csv" },
  file("src/agent.py", 6_820),
];

/** A small agent project, as the source floor describes it. */
export function tree(changes: Partial<SourceTree> = {}): SourceTree {
  return {
    root: `${WORKSPACE}/examples/agent`,
    graphConfigPath: "graph.json",
    graphs: [
      { id: "support", file: "./src/agent.py", exportName: "graph" },
      { id: "triage", file: "./src/agent.py", exportName: "graph" },
    ],
    envFile: ".env",
    entries: ENTRIES,
    files: 4,
    bytes: 38_200,
    largest: ENTRIES.filter(({ type }) => type === "file").toSorted((a, b) => b.size - a.size),
    leftOut: [
      { what: ".env", reason: "secret", files: 1, atLeast: false },
      { what: "node_modules", reason: "built-in", files: 212, atLeast: false },
      { what: ".gitignore", reason: "rule", files: 3, atLeast: false },
    ],
    warnings: [],
    notices: [],
    ...changes,
  };
}

export function archive(changes: Partial<SourceArchive> = {}): SourceArchive {
  return {
    file: "/tmp/source.tar.gz",
    bytes: 11_300,
    digest: `sha256:4f1c09ab${"0".repeat(56)}`,
    warnings: [],
    remove: () => Promise.resolve(),
    ...changes,
  };
}

/** The deployment as an earlier run left it. */
export function deployment(changes: Partial<Deployment> = {}): Deployment {
  return {
    id: DEPLOYMENT,
    name: "support-agent",
    source: "internal_source",
    latest_revision_id: REVISION_BEFORE,
    active_revision_id: REVISION_BEFORE,
    source_revision_config: { graph_config_path: "agent.json", source_tarball_path: "a/1.tar.gz" },
    secrets: [{ name: "OPENAI_API_KEY" }, { name: "OLD_TOKEN" }],
    ...changes,
  };
}

export function revision(status: string, changes: Partial<Revision> = {}): Revision {
  return {
    id: REVISION,
    status,
    source_revision_config: { graph_config_path: "graph.json", source_tarball_path: "a/2.tar.gz" },
    ...changes,
  };
}

export function seen(status: string, seconds: number, changes: Partial<Revision> = {}): DeployEvent {
  return { type: "revision-status", revision: revision(status, changes), elapsedMilliseconds: seconds * 1_000 };
}

export function beat(status: string | undefined, seconds: number): DeployEvent {
  return { type: "revision-heartbeat", status, elapsedMilliseconds: seconds * 1_000 };
}

export const SOURCE_READ: DeployEvent = { type: "source-read", tree: tree() };
export const NEW: DeployEvent = { type: "deployment-new", name: "support-agent", source: "internal_source" };
export const FOUND: DeployEvent = { type: "deployment-found", deployment: deployment() };
export const STARTED: DeployEvent = {
  type: "revision-started",
  deploymentId: DEPLOYMENT,
  revisionId: REVISION,
  status: "QUEUED",
  resumed: false,
};

export const PACKED: readonly DeployEvent[] = [
  { type: "source-packed", archive: archive(), milliseconds: 120 },
  { type: "step-ended", step: "source", milliseconds: 120 },
];

export const CREATED: DeployEvent = {
  type: "deployment-created",
  deployment: deployment({ secrets: [], active_revision_id: null }),
  adopted: false,
};

export const UPLOADED: readonly DeployEvent[] = [
  { type: "upload-progress", sentBytes: 11_300, totalBytes: 11_300, milliseconds: 180 },
  { type: "uploaded", bytes: 11_300, milliseconds: 200 },
  { type: "step-ended", step: "upload", milliseconds: 200 },
];

/** Our revision from its start to DEPLOYED, and the agent that answers. */
export const TO_LIVE: readonly DeployEvent[] = [
  STARTED,
  seen("AWAITING_BUILD", 0),
  seen("BUILDING", 4),
  beat("BUILDING", 34),
  seen("DEPLOYING", 72),
  seen("DEPLOYED", 91),
  { type: "step-ended", step: "build", milliseconds: 72_000 },
  { type: "step-ended", step: "deploy", milliseconds: 19_000 },
  {
    type: "revision-live",
    deployment: deployment({
      latest_revision_id: REVISION,
      url: URL_OF_AGENT,
      secrets: [{ name: "OPENAI_API_KEY" }, { name: "SENTRY_DSN" }],
    }),
    url: URL_OF_AGENT,
  },
];

export const VERIFIED: readonly DeployEvent[] = [
  {
    type: "agent-answered",
    url: URL_OF_AGENT,
    milliseconds: 84,
    graphs: { served: 2, expected: 2 },
    version: "0.9.1",
  },
  { type: "step-ended", step: "verify", milliseconds: 130 },
];

/** As VERIFIED, with a smoke run. */
export const VERIFIED_BY_A_RUN: readonly DeployEvent[] = [
  { type: "agent-running", url: URL_OF_AGENT, graph: "support", elapsedMilliseconds: 30_000 },
  {
    type: "agent-answered",
    url: URL_OF_AGENT,
    milliseconds: 84,
    graphs: { served: 2, expected: 2 },
    version: "0.9.1",
    run: { milliseconds: 31_200 },
  },
  { type: "step-ended", step: "verify", milliseconds: 31_330 },
];

export function ended(
  outcome: Extract<DeployEvent, { type: "ended" }>["outcome"],
  seconds: number,
  error?: Error,
): DeployEvent {
  return { type: "ended", outcome, milliseconds: seconds * 1_000, error };
}
