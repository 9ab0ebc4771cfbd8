import * as z from "zod";
import {
  Deployment,
  DeploymentCreate,
  DeploymentPatch,
  ListedRevision,
  listPage,
  LOG_KINDS,
  LOG_LEVELS,
  LogPage,
  Revision,
  UploadTarget,
} from "../deployment.ts";
import { elementOf } from "../spare.ts";
import { NO_QUERY, offsetParam, pageLimit, type Operation } from "./operation.ts";

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;
const REVISION = `${DEPLOYMENT}/revisions/{revision_id}`;
const PROJECT = "/v1/projects/{deployment_id}";

const Page = z.object({ limit: pageLimit(20, 100), offset: offsetParam });

/** Which lines of a log are meant. */
const LogFilter = z.object({
  order: z.enum(["asc", "desc"]).nullish(),
  limit: pageLimit(50, 1000).nullish(),
  // The offsets of the public service are opaque strings.
  offset: z.coerce.number().int().min(0).nullish(),
  level: z.enum(LOG_LEVELS).nullish(),
  query: z.string().nullish(),
});
export type LogFilter = z.infer<typeof LogFilter>;

const LOGS = {
  beyond: true,
  method: "POST",
  query: NO_QUERY,
  body: LogFilter,
  reply: LogPage,
  repeatable: true,
} as const;

/** The deployment control plane: section 4.1 of the contract. */
export const CONTROL_PLANE = {
  create: { method: "POST", path: DEPLOYMENTS, query: NO_QUERY, body: DeploymentCreate, reply: Deployment },
  get: { method: "GET", path: DEPLOYMENT, query: NO_QUERY, reply: Deployment },
  patch: { method: "PATCH", path: DEPLOYMENT, query: NO_QUERY, body: DeploymentPatch, reply: Deployment },
  revision: { method: "GET", path: REVISION, query: NO_QUERY, reply: Revision },
  uploadUrl: {
    method: "POST",
    path: "/deployments/{deployment_id}/upload-url",
    query: NO_QUERY,
    body: z.object({ supports_upload_headers: z.boolean().optional() }),
    reply: UploadTarget,
    repeatable: true,
  },
  list: {
    beyond: true,
    method: "GET",
    path: DEPLOYMENTS,
    query: Page.extend({ name: z.string().optional(), name_contains: z.string().optional() }),
    reply: listPage(elementOf(Deployment)),
  },
  delete: {
    beyond: true,
    method: "DELETE",
    path: DEPLOYMENT,
    query: z.object({ delete_tracing_project: z.enum(["true", "false"]).optional() }),
    reply: z.unknown(),
  },
  revisions: {
    beyond: true,
    method: "GET",
    path: `${DEPLOYMENT}/revisions`,
    query: Page.extend({ status: z.string().optional() }),
    reply: listPage(elementOf(ListedRevision)),
  },
  logs: {
    beyond: true,
    method: "GET",
    path: `${REVISION}/logs`,
    query: LogFilter.extend({ type: z.enum(LOG_KINDS) }),
    reply: LogPage,
  },
  // Older services have the logs below a project.
  buildLogs: { ...LOGS, path: `${PROJECT}/revisions/{revision_id}/build_logs` },
  deployLogs: { ...LOGS, path: `${PROJECT}/revisions/{revision_id}/deploy_logs` },
  activeLogs: { ...LOGS, path: `${PROJECT}/deploy_logs` },
  // The clusters of a self-hosted service.
  listeners: { beyond: true, method: "GET", path: "/v2/listeners", query: NO_QUERY, reply: listPage(z.unknown()) },
} as const satisfies Readonly<Record<string, Operation>>;
