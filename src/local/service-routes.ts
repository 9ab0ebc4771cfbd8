import { checkAccess, type AccessRules } from "./access.ts";
import { deploymentRoutes } from "./deployment-routes.ts";
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
}

// Self-hosted services answer under this prefix.
const PREFIX = "/api-host";
// service.md §4.2 and §4.3, with and without the prefix of §9.
const AREA_B = /^(?:\/api\/v1)?\/(?:runs(?:\/.*)?|datasets\/upload-experiment)$/;

/** All that the service answers. Who may call is asked before anything else; a signed upload URL says it itself. */
export function serviceAnswer(options: ServiceRoutesOptions): (call: HttpCall) => Promise<HttpAnswer> {
  const { access, deployments, logs, objects } = options;
  const routes = [
    ...deploymentRoutes(deployments),
    ...uploadRoutes(options),
    ...logRoutes(deployments, logs),
    ...pageRoutes(deployments, logs),
  ];
  return async (call) => {
    const path = call.path.startsWith(`${PREFIX}/`) ? call.path.slice(PREFIX.length) : call.path;
    if (isObjectPath(path)) return await receiveObject(call, path, objects);
    checkAccess(call.headers, access, { page: isPagePath(path) });
    if (AREA_B.test(path)) {
      throw new Refusal(501, "This local service does not take runs and experiments; it has deployments only.");
    }
    return await route(routes, call, path);
  };
}
