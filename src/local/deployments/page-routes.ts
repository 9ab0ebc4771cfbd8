import { LOG_KINDS } from "../../contract/deployment.ts";
import { deploymentPage, listPage, revisionPage } from "./page.ts";
import type { Deployments } from "./deployments.ts";
import type { ShownLog } from "./log-box.ts";
import type { LogStore } from "../state/log-store.ts";
import { DEPLOYMENTS_PATH } from "../pages/paths.ts";
import { pageRoute, param, type Route } from "../http/router.ts";

const SHOWN_DEPLOYMENTS = 100;
const SHOWN_REVISIONS = 50;
const SHOWN_LOG_LINES = 200;

const DEPLOYMENT = "/o/:tenant/host/deployments/:deployment_id";

/** Pages for people: the list, one per deployment behind the link that the public clients print, and its revisions. */
export function pageRoutes(deployments: Deployments, logs: LogStore): readonly Route[] {
  return [
    pageRoute(DEPLOYMENTS_PATH, () => {
      const listed = deployments.list({ limit: SHOWN_DEPLOYMENTS, offset: 0 }).map((deployment) => {
        const [latest] = deployments.revisions(deployment.id, { limit: 1, offset: 0 });
        return { deployment, latest };
      });
      return listPage(listed);
    }),
    pageRoute(DEPLOYMENT, (_call, params) => {
      const deployment = deployments.get(param(params, "deployment_id"));
      const revisions = deployments.revisions(deployment.id, { limit: SHOWN_REVISIONS, offset: 0 });
      return deploymentPage(deployment, revisions, logOf(logs, deployment.id, deployment.latest_revision_id ?? ""));
    }),
    pageRoute(`${DEPLOYMENT}/revisions/:revision_id`, (_call, params) => {
      const deployment = deployments.get(param(params, "deployment_id"));
      const revision = deployments.revision(deployment.id, param(params, "revision_id"));
      return revisionPage(deployment, revision, logOf(logs, deployment.id, revision.id));
    }),
  ];
}

// The newest lines of the build, and then those of the deploy.
function logOf(logs: LogStore, deploymentId: string, revisionId: string): ShownLog {
  const newest = LOG_KINDS.map((kind) => ({
    lines: logs.list({ revisionId, kind, order: "desc", limit: SHOWN_LOG_LINES + 1, offset: 0 }),
    path: `/v2/deployments/${deploymentId}/revisions/${revisionId}/logs?type=${kind}`,
  }));
  return {
    lines: newest.flatMap(({ lines }) => lines.slice(0, SHOWN_LOG_LINES).toReversed()),
    older: newest.flatMap(({ lines, path }) => (lines.length > SHOWN_LOG_LINES ? [path] : [])),
  };
}
