import { checkAccess, type AccessRules } from "./access.ts";
import { deploymentRoutes } from "./deployment-routes.ts";
import { experimentPageRoutes } from "./experiment-page-routes.ts";
import { experimentRoutes } from "./experiment-routes.ts";
import type { Experiments } from "./experiments.ts";
import type { HttpAnswer } from "./http-answer.ts";
import type { HttpCall } from "./http-call.ts";
import { logRoutes } from "./log-routes.ts";
import type { LogStore } from "./log-store.ts";
import { isPagePath, pageRoutes } from "./page-routes.ts";
import { Refusal } from "./refusal.ts";
import { route } from "./router.ts";
import { isObjectPath, receiveObject, uploadRoutes, type UploadOptions } from "./upload-routes.ts";

/** What the answers are made from. */
export interface ServiceRoutesOptions extends UploadOptions {
  readonly logs: LogStore;
  readonly access: AccessRules;
  readonly experiments: Experiments;
  readonly tenantId: string;
}

// Self-hosted services answer under this prefix.
const PREFIX = "/api-host";
// service.md §4.3, with and without the prefix of §9.
const RUNS = /^(?:\/api\/v1)?\/runs(?:\/.*)?$/;

/** All that the service answers. Who may call is asked before anything else; a signed upload URL says it itself. */
export function serviceAnswer(options: ServiceRoutesOptions): (call: HttpCall) => Promise<HttpAnswer> {
  const { access, deployments, experiments, logs, objects } = options;
  const routes = [
    ...deploymentRoutes(deployments),
    ...uploadRoutes(options),
    ...logRoutes(deployments, logs),
    ...pageRoutes(deployments, logs, options.tenantId),
    ...experimentRoutes(experiments),
    ...experimentPageRoutes(experiments),
  ];
  return async (call) => {
    const path = call.path.startsWith(`${PREFIX}/`) ? call.path.slice(PREFIX.length) : call.path;
    if (isObjectPath(path)) return await receiveObject(call, path, objects);
    checkAccess(call.headers, access, { page: isPagePath(path) });
    if (RUNS.test(path)) {
      throw new Refusal(501, "This local service does not take runs; it has deployments and experiments.");
    }
    return await route(routes, call, path);
  };
}
