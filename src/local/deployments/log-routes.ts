import * as z from "zod";
import { LOG_KINDS, type LogKind } from "../../contract/deployment.ts";
import { toValidationErrors } from "../../contract/validation-error.ts";
import type { Deployments } from "./deployments.ts";
import type { HttpAnswer } from "../http/response.ts";
import type { HttpCall } from "../http/call.ts";
import { LOG_LEVELS, type LogStore } from "../state/log-store.ts";
import { pageLimit, readQuery } from "../http/query.ts";
import { invalid } from "../http/error.ts";
import { param, type PathParams, type Route } from "../http/router.ts";

const Filter = z.object({
  order: z.enum(["asc", "desc"]).nullish(),
  limit: pageLimit(50, 1000).nullish(),
  // The public service's offsets are opaque texts.
  offset: z.coerce.number().int().min(0).nullish(),
  level: z.enum(LOG_LEVELS).nullish(),
  query: z.string().nullish(),
});
const FilterWithType = Filter.extend({ type: z.enum(LOG_KINDS) });
type Filter = z.infer<typeof Filter>;

const PROJECT = "/v1/projects/:deployment_id";

/** The logs of builds and deploys, in the two forms that the public clients know. */
export function logRoutes(deployments: Deployments, logs: LogStore): readonly Route[] {
  const answer = (revisionId: string, kind: LogKind, filter: Filter) => pageOfLogs(logs, revisionId, kind, filter);
  return [
    ...LOG_KINDS.map((kind) => ({
      method: "POST",
      path: `${PROJECT}/revisions/:revision_id/${kind}_logs`,
      answer: async (call: HttpCall, params: PathParams) => {
        const filter = readFilter(await call.json());
        return answer(revisionOf(deployments, params), kind, filter);
      },
    })),
    {
      method: "POST",
      path: `${PROJECT}/deploy_logs`,
      answer: async (call, params) => {
        const filter = readFilter(await call.json());
        return answer(deployments.get(param(params, "deployment_id")).active_revision_id ?? "", "deploy", filter);
      },
    },
    {
      method: "GET",
      path: "/v2/deployments/:deployment_id/revisions/:revision_id/logs",
      answer: (call, params) => {
        const { type, ...filter } = readQuery(FilterWithType, call.query);
        return answer(revisionOf(deployments, params), type, filter);
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

function pageOfLogs(logs: LogStore, revisionId: string, kind: LogKind, filter: Filter): HttpAnswer {
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
}
