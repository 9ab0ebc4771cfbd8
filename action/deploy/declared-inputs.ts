import { DEFAULT_GRAPH_CONFIG } from "../../src/contract/graph-config.ts";
import { PREVIEW_NAME_LIMITS } from "../../src/deployment/preview-name.ts";

/**
 * Every input of the deploy action with its default; a test holds action.yml to this table.
 * An input that is not in it cannot be read: the reader takes these names only.
 */
export const DEPLOY_INPUTS = {
  "control-plane-url": "",
  "api-key": "",
  "bearer-token": "",
  "tenant-id": "",
  name: "",
  "deployment-id": "",
  "revision-id": "",
  "rollback-to": "",
  source: "",
  path: ".",
  "graph-config": DEFAULT_GRAPH_CONFIG,
  include: "",
  exclude: "",
  "image-uri": "",
  "repo-ref": "",
  "source-config": "",
  "install-command": "",
  "build-command": "",
  secrets: "",
  "reserved-names": "",
  "expected-digest": "any",
  wait: "true",
  timeout: "30m",
  "poll-interval": "10s",
  "on-superseded": "fail",
  "smoke-test": "true",
  "smoke-input": "",
  "smoke-graph": "",
  "smoke-expect": "",
  "trace-session": "",
  "trace-url": "",
  "trace-api-key": "",
  preview: "false",
  "preview-name-limit": String(PREVIEW_NAME_LIMITS.usual),
  environment: "",
  comment: "false",
  "comment-key": "",
  "comment-path": "",
  "pull-request": "",
  "github-token": "${{ github.token }}",
  "dry-run": "false",
  "deploy-record": "",
  "max-size": "200MiB",
  "job-summary": "true",
  "ca-certificate": "",
  "field-names": "",
  "allow-http": "false",
} as const;

/** The name of an input of the deploy action. */
export type DeployInputName = keyof typeof DEPLOY_INPUTS;
