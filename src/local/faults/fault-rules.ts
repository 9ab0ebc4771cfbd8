import type { FaultRule } from "./faults.ts";

const FOR_EVER = { times: Number.POSITIVE_INFINITY };
const missing = (status: number): FaultRule["do"] => ({
  kind: "answer",
  status,
  body: { detail: status === 405 ? "Method Not Allowed" : "Not Found" },
});

/** The list of deployments does not exist on this service. */
export function noList(status: 404 | 405 = 405): FaultRule {
  return { ...FOR_EVER, match: { method: "GET", path: /\/v2\/deployments$/ }, do: missing(status) };
}

/** Deployments cannot be deleted on this service. */
export function noDelete(status: 404 | 405 = 405): FaultRule {
  return { ...FOR_EVER, match: { method: "DELETE" }, do: missing(status) };
}

/** The service has no build and deploy logs. */
export function noLogs(): FaultRule {
  return { ...FOR_EVER, match: { path: /\/(?:build_logs|deploy_logs|logs)$/ }, do: missing(404) };
}

/** The upload URL is given out under `/v2` only, not under the documented path. */
export function uploadUrlOnlyUnderV2(status: 404 | 405 = 404): FaultRule {
  return { ...FOR_EVER, match: { method: "POST", path: /^(?!.*\/v2\/).*\/upload-url$/ }, do: missing(status) };
}

/** The object store refuses the next uploads, as it does after a signed URL has expired. */
export function uploadRefused(times = 1, status = 403): FaultRule {
  return {
    times,
    match: { method: "PUT", path: /^\/objects\// },
    do: { kind: "answer", status, body: { detail: "The signed URL has expired." } },
  };
}

/** The next uploads of experiments are too large for what stands before the service, which says so in HTML. */
export function experimentTooLarge(times = 1): FaultRule {
  const title = "413 Request Entity Too Large";
  return {
    times,
    match: { method: "POST", path: /\/datasets\/upload-experiment$/ },
    do: {
      kind: "answer",
      status: 413,
      headers: { "content-type": "text/html" },
      body: `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n</body>\n</html>\n`,
    },
  };
}
