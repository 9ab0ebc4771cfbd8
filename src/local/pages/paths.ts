/** The page of all deployments, which is the first page. */
export const DEPLOYMENTS_PATH = "/";

/** Stands for a tenant where any will do: each page is there for every tenant. */
export const ANY_TENANT = "-";

/** The address of a deployment's page, relative to the service. */
export function deploymentPath(tenantId: string, deploymentId: string): string {
  return `${ofTenant(tenantId)}/host/deployments/${deploymentId}`;
}

/** The address of the page of a revision and its log. */
export function revisionPath(tenantId: string, deploymentId: string, revisionId: string): string {
  return `${deploymentPath(tenantId, deploymentId)}/revisions/${revisionId}`;
}

/** The address of the page of all datasets. */
export function datasetsPath(tenantId: string): string {
  return `${ofTenant(tenantId)}/datasets`;
}

/** The address of a dataset's page. */
export function datasetPath(tenantId: string, datasetId: string): string {
  return `${datasetsPath(tenantId)}/${datasetId}`;
}

/** The address of one experiment's page, or of the comparison of two. */
export function comparePath(tenantId: string, datasetId: string, experimentIds: readonly string[]): string {
  return `${datasetPath(tenantId, datasetId)}/compare?selectedSessions=${experimentIds.join(",")}`;
}

/** The address of the page of all projects. */
export function projectsPath(tenantId: string): string {
  return `${ofTenant(tenantId)}/projects`;
}

/** The address of a project's page. */
export function projectPath(tenantId: string, sessionId: string): string {
  return `${projectsPath(tenantId)}/p/${sessionId}`;
}

/** The address of a trace's page. */
export function tracePath(tenantId: string, sessionId: string, traceId: string): string {
  return `${projectPath(tenantId, sessionId)}/r/${traceId}`;
}

/** True for the addresses of pages, which a browser asks for. */
export function isPagePath(path: string): boolean {
  return path === DEPLOYMENTS_PATH || path.startsWith("/o/");
}

function ofTenant(tenantId: string): string {
  return `/o/${encodeURIComponent(tenantId)}`;
}
