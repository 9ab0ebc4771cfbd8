import { DEFAULT_GRAPH_CONFIG } from "../contract/graph-config.ts";

/** What a deploy is where its caller does not say: the same in the action, in a Pulumi program and in the library. */
export const DEPLOY_DEFAULTS = {
  path: ".",
  graphConfig: DEFAULT_GRAPH_CONFIG,
  wait: true,
  timeoutMilliseconds: 1_800_000,
  pollCapMilliseconds: 10_000,
  onSuperseded: "fail",
  smokeTest: true,
  /** The largest compressed archive, bytes. */
  maxBytes: 200 * 1024 * 1024,
} as const;
