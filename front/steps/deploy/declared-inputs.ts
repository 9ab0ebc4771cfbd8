import { DEFAULT_GRAPH_CONFIG } from "../../../src/contract/graph-config.ts";
import type { NeverEmpty } from "../../options/never-empty.ts";
import { PREVIEW_NAME_LIMITS } from "../../../src/deployment/preview-name.ts";

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
  "deployment-id": "none",
  create: "auto",
  "revision-id": "none",
  "rollback-to": "none",
  source: "auto",
  path: ".",
  "graph-config": DEFAULT_GRAPH_CONFIG,
  include: "",
  exclude: "",
  "allow-secrets-in-source": "",
  "image-uri": "none",
  "repo-ref": "none",
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
  "preview-name": "unique",
  "preview-name-limit": String(PREVIEW_NAME_LIMITS.usual),
  "only-owner": "false",
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

/** The inputs without which the step deploys something else, to another place, or for good. */
export const DEPLOY_NEVER_EMPTY = {
  create: "value",
  "deployment-id": "word",
  "revision-id": "word",
  "rollback-to": "word",
  source: "word",
  path: "value",
  "image-uri": "word",
  "repo-ref": "word",
  "expected-digest": "word",
  preview: "value",
  "preview-name": "value",
  "dry-run": "value",
} as const satisfies NeverEmpty<DeployInputName>;

/**
 * Which steps an input has an effect in: `any` also in one that only waits for a revision, `deploy` in each that deploys,
 * `source` only in one that deploys a source of today and not an earlier revision. `environment` has none in a step that
 * only waits, which gets a warning and not an error.
 */
export const DEPLOY_INPUT_USES = {
  "control-plane-url": "any",
  "api-key": "any",
  "bearer-token": "any",
  "tenant-id": "any",
  name: "any",
  "deployment-id": "any",
  create: "source",
  "revision-id": "any",
  "rollback-to": "deploy",
  source: "source",
  path: "source",
  "graph-config": "source",
  include: "source",
  exclude: "source",
  "allow-secrets-in-source": "source",
  "image-uri": "source",
  "repo-ref": "source",
  "source-config": "source",
  "install-command": "source",
  "build-command": "source",
  secrets: "source",
  "reserved-names": "source",
  "expected-digest": "source",
  wait: "deploy",
  timeout: "any",
  "poll-interval": "any",
  "on-superseded": "any",
  "smoke-test": "any",
  "smoke-input": "any",
  "smoke-graph": "any",
  "smoke-expect": "any",
  "trace-session": "deploy",
  "trace-url": "deploy",
  "trace-api-key": "deploy",
  preview: "deploy",
  "preview-name": "deploy",
  "preview-name-limit": "deploy",
  "only-owner": "deploy",
  environment: "any",
  comment: "any",
  "comment-key": "any",
  "comment-path": "any",
  "pull-request": "any",
  "github-token": "any",
  "dry-run": "deploy",
  "deploy-record": "deploy",
  "max-size": "source",
  "job-summary": "any",
  "ca-certificate": "any",
  "field-names": "any",
  "allow-http": "any",
} as const satisfies Readonly<Record<DeployInputName, "any" | "deploy" | "source">>;

/** The names of all inputs, in the order of action.yml. */
export const DEPLOY_INPUT_NAMES = Object.keys(DEPLOY_INPUTS).filter(isDeployInput);

function isDeployInput(name: string): name is DeployInputName {
  return Object.hasOwn(DEPLOY_INPUTS, name);
}
