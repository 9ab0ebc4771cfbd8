import { STATUS_CODES } from "node:http";
import { checkAccess, type AccessRules } from "./http/access.ts";
import { deploymentRoutes } from "./deployments/routes.ts";
import { experimentPageRoutes } from "./experiments/page-routes.ts";
import { experimentRoutes } from "./experiments/routes.ts";
import type { Experiments } from "./experiments/experiments.ts";
import type { HttpAnswer } from "./http/response.ts";
import type { HttpCall } from "./http/call.ts";
import { logRoutes } from "./deployments/log-routes.ts";
import type { LogStore } from "./state/log-store.ts";
import { refusalPage } from "./pages/frame.ts";
import { isPagePath } from "./pages/paths.ts";
import { pageRoutes } from "./deployments/page-routes.ts";
import { Refusal } from "./http/error.ts";
import { route } from "./http/router.ts";
import { runPageRoutes } from "./runs/page-routes.ts";
import { runRoutes } from "./runs/routes.ts";
import type { Runs } from "./runs/runs.ts";
import { isObjectPath, receiveObject, uploadRoutes, type UploadOptions } from "./deployments/upload-routes.ts";

/** What the answers are made from. */
export interface ServiceRoutesOptions extends UploadOptions {
  readonly logs: LogStore;
  readonly access: AccessRules;
  readonly experiments: Experiments;
  readonly runs: Runs;
  readonly tenantId: string;
}

// Self-hosted services answer under this prefix.
const PREFIX = "/api-host";

/** All that the service answers. Who may call is asked before anything else; a signed upload URL says it itself. */
export function serviceAnswer(options: ServiceRoutesOptions): (call: HttpCall) => Promise<HttpAnswer> {
  const { access, deployments, experiments, logs, objects, runs, tenantId } = options;
  const routes = [
    ...deploymentRoutes(deployments),
    ...uploadRoutes(options),
    ...logRoutes(deployments, logs),
    ...pageRoutes(deployments, logs),
    ...experimentRoutes(experiments),
    ...experimentPageRoutes(experiments),
    ...runRoutes(runs, tenantId),
    ...runPageRoutes(runs, tenantId),
  ];
  const answer = async (call: HttpCall): Promise<HttpAnswer> => {
    const path = call.path.startsWith(`${PREFIX}/`) ? call.path.slice(PREFIX.length) : call.path;
    if (isObjectPath(path)) return await receiveObject(call, path, objects);
    checkAccess(call.headers, access, { page: isPagePath(path) });
    return await route(routes, call, path);
  };
  return async (call) => {
    try {
      return await answer(call);
    } catch (error) {
      if (!(error instanceof Refusal) || !comesFromBrowser(call)) throw error;
      return pageOfRefusal(call, error);
    }
  };
}

// A person who follows a link; a client asks for JSON, or for anything.
function comesFromBrowser({ method, headers }: HttpCall): boolean {
  return method === "GET" && /\btext\/html\b/.test(headers.accept ?? "");
}

function pageOfRefusal({ path }: HttpCall, { status, headers, detail }: Refusal): HttpAnswer {
  const title = STATUS_CODES[status] ?? "";
  const reasons =
    typeof detail === "string"
      ? [detail === title ? `There is no page at ${path}.` : detail]
      : detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
  return { status, headers, html: refusalPage(`${String(status)} ${title}`, reasons) };
}
