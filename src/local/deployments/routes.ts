import * as z from "zod";
import type { Deployments } from "./deployments.ts";
import type { HttpCall } from "../http/call.ts";
import { readQuery, offsetParam, pageLimit } from "../http/query.ts";
import { param, type Route } from "../http/router.ts";

const ListQuery = z.object({
  limit: pageLimit(20, 100),
  offset: offsetParam,
  name: z.string().optional(),
  name_contains: z.string().optional(),
});

const RevisionsQuery = z.object({ limit: pageLimit(20, 100), offset: offsetParam, status: z.string().optional() });

const DEPLOYMENT = "/v2/deployments/:deployment_id";

/** Deployments and their revisions, with the lists and the delete that the public service has besides. */
export function deploymentRoutes(deployments: Deployments): readonly Route[] {
  return [
    { method: "GET", path: "/v2/deployments", answer: (call) => list(call, deployments) },
    {
      method: "POST",
      path: "/v2/deployments",
      answer: async (call) => ({ status: 201, json: deployments.create(await call.json()) }),
    },
    {
      method: "GET",
      path: DEPLOYMENT,
      answer: (_call, params) => ({ status: 200, json: deployments.get(param(params, "deployment_id")) }),
    },
    {
      method: "PATCH",
      path: DEPLOYMENT,
      answer: async (call, params) => ({
        status: 200,
        json: deployments.patch(param(params, "deployment_id"), await call.json()),
      }),
    },
    {
      method: "DELETE",
      path: DEPLOYMENT,
      answer: async (_call, params) => {
        await deployments.delete(param(params, "deployment_id"));
        return { status: 204 };
      },
    },
    {
      method: "GET",
      path: `${DEPLOYMENT}/revisions`,
      answer: (call, params) => listRevisions(call, deployments, param(params, "deployment_id")),
    },
    {
      method: "GET",
      path: `${DEPLOYMENT}/revisions/:revision_id`,
      answer: (_call, params) => ({
        status: 200,
        json: deployments.revision(param(params, "deployment_id"), param(params, "revision_id")),
      }),
    },
    // The public clients ask for the clusters that a self-hosted service deploys to; here are none.
    { method: "GET", path: "/v2/listeners", answer: () => ({ status: 200, json: { resources: [], offset: 0 } }) },
  ];
}

function list(call: HttpCall, deployments: Deployments) {
  const { limit, offset, name, name_contains } = readQuery(ListQuery, call.query);
  const resources = deployments.list({ limit, offset, name, nameContains: name_contains });
  return { status: 200, json: { resources, offset: offset + resources.length } };
}

function listRevisions(call: HttpCall, deployments: Deployments, deploymentId: string) {
  const { limit, offset, status } = readQuery(RevisionsQuery, call.query);
  const resources = deployments.revisions(deploymentId, { limit, offset, statuses: status?.split(",") });
  return { status: 200, json: { resources, offset: offset + resources.length } };
}
