import * as z from "zod";
import { LOG_KINDS, type LogKind } from "../../contract/deployment.ts";
import { toValidationErrors } from "../../contract/validation-error.ts";
import type { Faults } from "../faults/faults.ts";
import type { HttpCall } from "../http/call.ts";
import { HttpError, invalid, noRoom } from "../http/error.ts";
import type { HttpResponse } from "../http/response.ts";
import { readQuery, offsetParam, pageLimit, param, type Route, type PathParams } from "../http/router.ts";
import { LOG_LEVELS, type LogStore } from "../state/log-store.ts";
import { UPLOAD_LIMIT_BYTES, type ObjectStore } from "../state/object-store.ts";
import type { Deployments } from "./deployments.ts";

const ListQuery = z.object({
  limit: pageLimit(20, 100),
  offset: offsetParam,
  name: z.string().optional(),
  name_contains: z.string().optional(),
});

const DeleteQuery = z.object({ delete_tracing_project: z.enum(["true", "false"]).optional() });

const RevisionsQuery = z.object({ limit: pageLimit(20, 100), offset: offsetParam, status: z.string().optional() });

const DEPLOYMENT = "/v2/deployments/:deployment_id";

/** Deployments and their revisions; also the lists and the delete of the public service. */
export function deploymentRoutes(deployments: Deployments): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/v2/deployments",
      handle: (call) => {
        const { limit, offset, name, name_contains } = readQuery(ListQuery, call.query);
        const resources = deployments.list({ limit, offset, name, nameContains: name_contains });
        return { status: 200, json: { resources, offset: offset + resources.length } };
      },
    },
    {
      method: "POST",
      path: "/v2/deployments",
      handle: async (call) => ({ status: 201, json: deployments.create(await call.json()) }),
    },
    {
      method: "GET",
      path: DEPLOYMENT,
      handle: (_call, params) => ({ status: 200, json: deployments.get(param(params, "deployment_id")) }),
    },
    {
      method: "PATCH",
      path: DEPLOYMENT,
      handle: async (call, params) => ({
        status: 200,
        json: deployments.patch(param(params, "deployment_id"), await call.json()),
      }),
    },
    {
      method: "DELETE",
      path: DEPLOYMENT,
      handle: async (call, params) => {
        const { delete_tracing_project } = readQuery(DeleteQuery, call.query);
        await deployments.delete(param(params, "deployment_id"), { withTraces: delete_tracing_project === "true" });
        return { status: 204 };
      },
    },
    {
      method: "GET",
      path: `${DEPLOYMENT}/revisions`,
      handle: (call, params) => {
        const { limit, offset, status } = readQuery(RevisionsQuery, call.query);
        const resources = deployments.revisions(param(params, "deployment_id"), {
          limit,
          offset,
          statuses: status?.split(","),
        });
        return { status: 200, json: { resources, offset: offset + resources.length } };
      },
    },
    {
      method: "GET",
      path: `${DEPLOYMENT}/revisions/:revision_id`,
      handle: (_call, params) => ({
        status: 200,
        json: deployments.revision(param(params, "deployment_id"), param(params, "revision_id")),
      }),
    },
    // Public clients ask for the clusters of a self-hosted service; there are none here.
    { method: "GET", path: "/v2/listeners", handle: () => ({ status: 200, json: { resources: [], offset: 0 } }) },
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
export function uploadRoutes(options: UploadOptions): readonly Route[] {
  return ["", "/v2"].map((prefix) => ({
    method: "POST",
    path: `${prefix}/deployments/:deployment_id/upload-url`,
    handle: async (call: HttpCall, params: PathParams) => {
      const deploymentId = param(params, "deployment_id");
      await call.json();
      const { source } = options.deployments.row(deploymentId);
      if (source !== "internal_source") {
        throw new HttpError(
          400,
          `Upload URLs are only available for internal_source deployments; this one is ${source}.`,
        );
      }
      const { uploadHeaders } = options.faults.conditions;
      const { objectPath, target } = options.objects.issue(deploymentId, uploadHeaders);
      const headers = uploadHeaders === undefined ? {} : { upload_headers: uploadHeaders };
      return { status: 200, json: { upload_url: options.url() + target, object_path: objectPath, ...headers } };
    },
  }));
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
    if (noRoom(error) !== undefined) await call.drain();
    throw error;
  }
  return { status: 200 };
}

const Filter = z.object({
  order: z.enum(["asc", "desc"]).nullish(),
  limit: pageLimit(50, 1000).nullish(),
  // The offsets of the public service are opaque strings.
  offset: z.coerce.number().int().min(0).nullish(),
  level: z.enum(LOG_LEVELS).nullish(),
  query: z.string().nullish(),
});
const FilterWithType = Filter.extend({ type: z.enum(LOG_KINDS) });
type Filter = z.infer<typeof Filter>;

const PROJECT = "/v1/projects/:deployment_id";

/** The build and deploy logs, under the two paths of the public clients. */
export function logRoutes(deployments: Deployments, logs: LogStore): readonly Route[] {
  const pageOf = (revisionId: string, kind: LogKind, filter: Filter) => {
    const { order, level, query } = filter;
    const limit = filter.limit ?? 50;
    const offset = filter.offset ?? 0;
    const rows = logs.list({
      revisionId,
      kind,
      order: order ?? "asc",
      limit: limit + 1,
      offset,
      level: level ?? undefined,
      query: query ?? undefined,
    });
    const page = rows.slice(0, limit);
    return { status: 200, json: { logs: page, next_offset: rows.length > limit ? String(offset + limit) : null } };
  };
  return [
    ...LOG_KINDS.map((kind) => ({
      method: "POST",
      path: `${PROJECT}/revisions/:revision_id/${kind}_logs`,
      handle: async (call: HttpCall, params: PathParams) => {
        const filter = readFilter(await call.json());
        return pageOf(revisionOf(deployments, params), kind, filter);
      },
    })),
    {
      method: "POST",
      path: `${PROJECT}/deploy_logs`,
      handle: async (call, params) => {
        const filter = readFilter(await call.json());
        return pageOf(deployments.get(param(params, "deployment_id")).active_revision_id ?? "", "deploy", filter);
      },
    },
    {
      method: "GET",
      path: "/v2/deployments/:deployment_id/revisions/:revision_id/logs",
      handle: (call, params) => {
        const { type, ...filter } = readQuery(FilterWithType, call.query);
        return pageOf(revisionOf(deployments, params), type, filter);
      },
    },
  ];
}

function revisionOf(deployments: Deployments, params: PathParams): string {
  return deployments.revision(param(params, "deployment_id"), param(params, "revision_id")).id;
}

function readFilter(body: unknown): Filter {
  const parsed = Filter.safeParse(body ?? {});
  if (!parsed.success) throw invalid(toValidationErrors(parsed.error, "body"));
  return parsed.data;
}
