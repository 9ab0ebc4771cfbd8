import { LogPage, type LogKind, type LogLine } from "../contract/deployment.ts";
import { isMissingEndpoint } from "../http/errors.ts";
import { findPath } from "../http/find-path.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import { pathSegment } from "./path-segment.ts";

/** The last lines of a revision's log, oldest first; undefined if the service has no logs. */
export async function lastLogLines(
  api: JsonApi,
  deploymentId: string,
  revisionId: string,
  kind: LogKind,
  limit: number,
  options: CallOptions,
): Promise<readonly LogLine[] | undefined> {
  const [deployment, revision] = [pathSegment("deployment", deploymentId), pathSegment("revision", revisionId)];
  const places = [
    {
      method: "POST",
      path: `/v1/projects/${deployment}/revisions/${revision}/${kind}_logs`,
      body: { order: "desc", limit },
      repeatable: true,
    },
    {
      method: "GET",
      path: `/v2/deployments/${deployment}/revisions/${revision}/logs`,
      query: { type: kind, order: "desc", limit },
    },
  ] as const;
  const ask = (place: (typeof places)[number]) => api.request({ ...options, ...place, schema: LogPage });
  try {
    const { result } = await findPath(places, ask, { isElsewhere: isMissingEndpoint });
    return result.logs.slice(0, limit).reverse();
  } catch (error) {
    if (isMissingEndpoint(error)) return undefined;
    throw error;
  }
}
