import { LOG_KINDS } from "../contract/deployment.ts";
import type { Deployments } from "./deployments.ts";
import type { LogStore } from "./log-store.ts";
import { deploymentPage, listPage } from "./page.ts";
import { param, type Route } from "./router.ts";

const SHOWN_DEPLOYMENTS = 100;
const SHOWN_REVISIONS = 50;
const SHOWN_LOG_LINES = 200;

/** Pages for people: the list, and one per deployment behind the link that the public clients print. */
export function pageRoutes(deployments: Deployments, logs: LogStore, tenantId: string): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/",
      answer: () => ({
        status: 200,
        html: listPage(deployments.list({ limit: SHOWN_DEPLOYMENTS, offset: 0 }), tenantId),
      }),
    },
    {
      method: "GET",
      path: "/o/:tenant/host/deployments/:deployment_id",
      answer: (_call, params) => {
        const deployment = deployments.get(param(params, "deployment_id"));
        const revisions = deployments.revisions(deployment.id, { limit: SHOWN_REVISIONS, offset: 0 });
        const revisionId = deployment.latest_revision_id ?? "";
        const lines = LOG_KINDS.flatMap((kind) =>
          logs.list({ revisionId, kind, order: "desc", limit: SHOWN_LOG_LINES, offset: 0 }).toReversed(),
        );
        return { status: 200, html: deploymentPage(deployment, revisions, lines) };
      },
    },
  ];
}

/** True for the addresses of pages, which a browser asks for. */
export function isPagePath(path: string): boolean {
  return path === "/" || path.startsWith("/o/");
}
