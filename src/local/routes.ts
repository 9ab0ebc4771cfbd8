import { STATUS_CODES } from "node:http";
import { deploymentPageRoutes } from "./deployments/pages.ts";
import {
  deploymentRoutes,
  logRoutes,
  isObjectPath,
  receiveObject,
  uploadRoutes,
  type UploadOptions,
} from "./deployments/routes.ts";
import type { CompareExperiments } from "../pages/experiment-comparison.ts";
import { experimentPageRoutes } from "./experiments/pages.ts";
import { experimentRoutes } from "./experiments/routes.ts";
import { checkAccess, type AccessRules, type Area } from "./http/access.ts";
import type { HttpCall } from "./http/call.ts";
import { HttpError } from "./http/error.ts";
import type { HttpResponse } from "./http/response.ts";
import { route } from "./http/router.ts";
import { missingReason } from "./missing.ts";
import { errorPage } from "./pages/frame.ts";
import { isPagePath } from "./pages/paths.ts";
import { runPageRoutes } from "./runs/pages.ts";
import { runRoutes, type RunRoutesOptions } from "./runs/routes.ts";
import type { LogStore } from "./state/log-store.ts";

export interface ServiceRoutesOptions extends UploadOptions, RunRoutesOptions {
  readonly logs: LogStore;
  readonly access: AccessRules;
  readonly compare: CompareExperiments | undefined;
}

// Self-hosted services listen under this prefix.
const PREFIX = "/api-host";

/** Handles all requests of the service. Checks access first; upload URLs carry their own signature. */
export function serviceHandler(options: ServiceRoutesOptions): (call: HttpCall) => Promise<HttpResponse> {
  const { access, deployments, experiments, logs, objects, runs, tenantId } = options;
  const routes = [
    ...deploymentRoutes(deployments),
    ...uploadRoutes(options),
    ...logRoutes(deployments, logs),
    ...deploymentPageRoutes(deployments, logs),
    ...experimentRoutes(experiments),
    ...experimentPageRoutes(experiments, options.compare),
    ...runRoutes(options),
    ...runPageRoutes(runs, tenantId),
  ];
  const handle = async (call: HttpCall): Promise<HttpResponse> => {
    const path = call.path.startsWith(`${PREFIX}/`) ? call.path.slice(PREFIX.length) : call.path;
    if (isObjectPath(path)) return await receiveObject(call, path, objects);
    checkAccess(call.headers, access, areaOf(path));
    return await route(routes, call, path, { missingReason });
  };
  return async (call) => {
    try {
      return await handle(call);
    } catch (error) {
      // Clients accept JSON, or anything.
      const isBrowser = call.method === "GET" && /\btext\/html\b/.test(call.headers.accept ?? "");
      if (!(error instanceof HttpError) || !isBrowser) throw error;
      const { status, headers, detail } = error;
      const title = STATUS_CODES[status] ?? "";
      const reasons =
        typeof detail === "string"
          ? [detail === title ? `No page at ${call.path}.` : detail]
          : detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
      return { status, headers, html: errorPage(`${String(status)} ${title}`, reasons) };
    }
  };
}

// Whatever is under these paths, also if it does not exist.
const CONTROL_PLANE = /^\/(?:v1|v2|deployments)(?:\/|$)/;

function areaOf(path: string): Area {
  if (isPagePath(path)) return "page";
  return CONTROL_PLANE.test(path) ? "control-plane" : "tracing";
}
