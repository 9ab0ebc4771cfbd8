import { RevisionFates, type RevisionFate } from "./revision-fate.ts";

/** Before the request is processed (nothing has changed), or after it (the caller does not learn what has). */
export type FaultMoment = "before" | "after";

/** What happens to a request instead of, or on top of, its usual answer. */
export type FaultAction =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A string is sent as it is, anything else as JSON; an object with `detail` when absent. */
      readonly body?: unknown;
      readonly when?: FaultMoment;
    }
  /** The socket is cut by a TCP reset. */
  | { readonly kind: "reset"; readonly when?: FaultMoment }
  /** No answer comes, or half of one, and the socket stays open. */
  | { readonly kind: "stall"; readonly when?: FaultMoment | "body" }
  /** The head announces the whole body, half of it comes, and the socket is closed. */
  | { readonly kind: "truncate" }
  /** The usual answer, late. */
  | { readonly kind: "delay"; readonly milliseconds: number }
  /** The usual answer with another JSON body. */
  | { readonly kind: "edit"; readonly edit: (json: unknown) => unknown };

/** Which requests a fault may hit; each setting that is absent fits all. */
export interface FaultMatch {
  /** The service itself, or the agent servers of its deployments; both when absent. */
  readonly server?: "service" | "agent";
  readonly method?: string;
  /** A string equals the path as it was sent, without the query. */
  readonly path?: string | RegExp;
}

/** A fault, and when it happens. */
export interface FaultRule {
  readonly match?: FaultMatch;
  /** How many matching requests go well first; 0 when absent. */
  readonly skip?: number;
  /** How many matching requests the fault hits after those; 1 when absent. */
  readonly times?: number;
  readonly do: FaultAction;
}

/** A rule that was added: how often it has hit, and a way to take it back. */
export interface FaultHandle {
  readonly hits: number;
  remove(): void;
}

interface ActiveRule {
  readonly rule: FaultRule;
  skipped: number;
  hits: number;
}

/** Conditions of the whole service that no rule about a single request can express. */
export interface ServiceConditions {
  /** How many of the next partial updates answer 200 and make no revision, whatever they say. */
  patchesWithoutRevision: number;
  /** How many of the next partial updates are followed at once by a revision that somebody else makes. */
  foreignRevisions: number;
  /** How long a new deployment is missing from the list, milliseconds. */
  listLagMilliseconds: number;
  /** How long a deleted deployment is still answered, as AWAITING_DELETE, milliseconds. */
  deleteMilliseconds: number;
  /** Sent along with each upload URL, and then required from the upload, as a signature over headers does. */
  uploadHeaders: Readonly<Record<string, string>> | undefined;
}

const NO_CONDITIONS: Readonly<ServiceConditions> = {
  patchesWithoutRevision: 0,
  foreignRevisions: 0,
  listLagMilliseconds: 0,
  deleteMilliseconds: 0,
  uploadHeaders: undefined,
};

/** Switches for what goes wrong; they can be flipped while the service runs. */
export class Faults {
  readonly conditions: ServiceConditions = { ...NO_CONDITIONS };
  /** What happens to the revisions that are made next. */
  readonly revisions = new RevisionFates();
  #rules: ActiveRule[] = [];

  add(rule: FaultRule): FaultHandle {
    const active: ActiveRule = { rule, skipped: 0, hits: 0 };
    this.#rules.push(active);
    return {
      get hits() {
        return active.hits;
      },
      remove: () => {
        this.#rules = this.#rules.filter((other) => other !== active);
      },
    };
  }

  /** The next revision that is made goes this way; several calls line up. */
  nextRevision(fate: RevisionFate): void {
    this.revisions.push(fate);
  }

  /** Everything goes well from now on, and held revisions go on. */
  clear(): void {
    this.#rules = [];
    Object.assign(this.conditions, NO_CONDITIONS);
    this.revisions.clear();
  }

  /** The fault that hits this request: the first rule that matches and is not used up. */
  take(request: { readonly server: "service" | "agent"; readonly method: string; readonly path: string }) {
    for (const active of this.#rules) {
      const { match = {}, skip = 0, times = 1 } = active.rule;
      if (active.hits >= times || !matches(match, request)) continue;
      if (active.skipped < skip) {
        active.skipped += 1;
        continue;
      }
      active.hits += 1;
      return active.rule.do;
    }
    return undefined;
  }
}

function matches(
  match: FaultMatch,
  request: { readonly server: string; readonly method: string; readonly path: string },
): boolean {
  if (match.server !== undefined && match.server !== request.server) return false;
  if (match.method !== undefined && match.method !== request.method) return false;
  if (match.path === undefined) return true;
  return typeof match.path === "string" ? match.path === request.path : match.path.test(request.path);
}

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
