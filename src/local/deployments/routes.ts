import { LOG_KINDS, type LogKind } from "../../contract/deployment.ts";
import { CONTROL_PLANE, type LogFilter } from "../../contract/operations/control-plane.ts";
import type { Faults } from "../faults/faults.ts";
import type { HttpCall } from "../http/call.ts";
import { HttpError, noRoom } from "../http/error.ts";
import type { HttpResponse } from "../http/response.ts";
import { serve, type Asked, type Route } from "../http/router.ts";
import type { LogStore } from "../state/log-store.ts";
import { UPLOAD_LIMIT_BYTES, type ObjectStore } from "../state/object-store.ts";
import type { Deployments } from "./deployments.ts";

/** Deployments and their revisions; also the lists and the delete of the public service. */
export function deploymentRoutes(deployments: Deployments): readonly Route[] {
  return [
    serve(CONTROL_PLANE.list, ({ query: { limit, offset, name, name_contains } }) => {
      const resources = deployments.list({ limit, offset, name, search: name_contains });
      return { status: 200, json: { resources, offset: offset + resources.length } };
    }),
    serve(CONTROL_PLANE.create, async ({ call }) => ({ status: 201, json: deployments.create(await call.json()) })),
    serve(CONTROL_PLANE.get, ({ param }) => ({ status: 200, json: deployments.get(param("deployment_id")) })),
    serve(CONTROL_PLANE.patch, async ({ call, param }) => ({
      status: 200,
      json: deployments.patch(param("deployment_id"), await call.json()),
    })),
    serve(CONTROL_PLANE.delete, async ({ param, query }) => {
      await deployments.delete(param("deployment_id"), { withTraces: query.delete_tracing_project === "true" });
      return { status: 204 };
    }),
    serve(CONTROL_PLANE.revisions, ({ param, query: { limit, offset, status } }) => {
      const filter = { limit, offset, statuses: status?.split(",") };
      const resources = deployments.revisions(param("deployment_id"), filter);
      return { status: 200, json: { resources, offset: offset + resources.length } };
    }),
    serve(CONTROL_PLANE.revision, ({ param }) => ({
      status: 200,
      json: deployments.revision(param("deployment_id"), param("revision_id")),
    })),
    // There are none here.
    serve(CONTROL_PLANE.listeners, () => ({ status: 200, json: { resources: [], offset: 0 } })),
  ];
}

export interface UploadOptions {
  readonly deployments: Deployments;
  readonly objects: ObjectStore;
  readonly faults: Faults;
  /** The service's own URL, known once it listens. */
  readonly url: () => string;
}

/** The upload-url endpoint; public clients look for it under `/v2`, too. */
export function uploadRoutes({ deployments, faults, objects, url }: UploadOptions): readonly Route[] {
  const route = serve(CONTROL_PLANE.uploadUrl, async ({ call, param }) => {
    const deploymentId = param("deployment_id");
    await call.json();
    const { source } = deployments.row(deploymentId);
    if (source !== "internal_source") {
      throw new HttpError(
        400,
        `Upload URLs are only available for internal_source deployments; this one is ${source}.`,
      );
    }
    const { uploadHeaders } = faults.conditions;
    const { objectPath, target } = objects.issue(deploymentId, uploadHeaders);
    const headers = uploadHeaders ? { upload_headers: uploadHeaders } : {};
    return { status: 200, json: { upload_url: url() + target, object_path: objectPath, ...headers } };
  });
  return [route, { ...route, path: `/v2${route.path}` }];
}

const OBJECTS = "/objects/";

/** True for paths of the object store, whose URLs are signed and need no key. */
export function isObjectPath(path: string): boolean {
  return path.startsWith(OBJECTS);
}

/** Receives an upload to such a path. */
export async function receiveObject(call: HttpCall, path: string, objects: ObjectStore): Promise<HttpResponse> {
  if (call.method !== "PUT") throw new HttpError(405, "Method Not Allowed", { allow: "PUT" });
  try {
    await objects.receive(path.slice(OBJECTS.length), call.query, call.headers, call.body(UPLOAD_LIMIT_BYTES));
  } catch (error) {
    // The disk was full in the middle of it: a client that is cut off while it sends would not learn that.
    if (noRoom(error) !== "") await call.drain();
    throw error;
  }
  return { status: 200 };
}

/** The build and deploy logs, under the two paths of the public clients. */
export function logRoutes(deployments: Deployments, logs: LogStore): readonly Route[] {
  const pageOf = (revisionId: string, kind: LogKind, filter: LogFilter) => {
    const limit = filter.limit ?? 50;
    const offset = filter.offset ?? 0;
    const rows = logs.list({ ...filter, revisionId, kind, limit: limit + 1, offset });
    const page = rows.slice(0, limit);
    return { status: 200, json: { logs: page, next_offset: rows.length > limit ? String(offset + limit) : null } };
  };
  const revisionOf = ({ param }: Asked<typeof CONTROL_PLANE.logs.path>) =>
    deployments.revision(param("deployment_id"), param("revision_id")).id;
  return [
    ...LOG_KINDS.map((kind) =>
      serve(CONTROL_PLANE[`${kind}Logs`], async (asked) => {
        const filter = (await asked.call.read(SentFilter)) ?? {};
        return pageOf(revisionOf(asked), kind, filter);
      }),
    ),
    serve(CONTROL_PLANE.activeLogs, async ({ call, param }) => {
      const filter = (await call.read(SentFilter)) ?? {};
      return pageOf(deployments.get(param("deployment_id")).active_revision_id ?? "", "deploy", filter);
    }),
    serve(CONTROL_PLANE.logs, (asked) => {
      const { type, ...filter } = asked.query;
      return pageOf(revisionOf(asked), type, filter);
    }),
  ];
}

// A request without a body asks for all lines.
const SentFilter = CONTROL_PLANE.activeLogs.body.nullish();
