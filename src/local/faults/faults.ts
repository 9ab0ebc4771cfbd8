import { Fates, type RevisionFate, type RunFate } from "./fates.ts";

/** Before the request is processed (nothing has changed), or after it (the client does not learn what has). */
export type FaultMoment = "before" | "after";

/** What happens to a request instead of, or in addition to, its usual response. */
export type FaultAction =
  | {
      readonly kind: "answer";
      /** The status of the response. */
      readonly status: number;
      /** Headers of the response. */
      readonly headers?: Readonly<Record<string, string>>;
      /** A string is sent unchanged, anything else as JSON; an object with `detail` if absent. */
      readonly body?: unknown;
      /** `before` if absent. */
      readonly when?: FaultMoment;
    }
  /** A TCP reset. */
  | {
      readonly kind: "reset";
      /** `before` if absent. */
      readonly when?: FaultMoment;
    }
  /** No response or half of one, and the socket stays open. */
  | {
      readonly kind: "stall";
      /** `body` stalls within the response; `before` if absent. */
      readonly when?: FaultMoment | "body";
    }
  /** Half of the announced body, then the socket closes. */
  | { readonly kind: "truncate" }
  /** The usual response, late. */
  | {
      readonly kind: "delay";
      /** How much later, milliseconds. */
      readonly milliseconds: number;
    }
  /** The usual response with another JSON body. */
  | {
      readonly kind: "edit";
      /** Gets the usual body, and returns the one that is sent. */
      readonly edit: (json: unknown) => unknown;
    };

/** Which requests a fault may hit; an absent setting matches all. */
export interface FaultMatch {
  /** The service itself, or the agent servers of its deployments; both if absent. */
  readonly server?: "service" | "agent";
  /** The method of HTTP, in upper case. */
  readonly method?: string;
  /** A string must equal the path as sent, without the query. */
  readonly path?: string | RegExp;
}

/** A fault, and when it happens. */
export interface FaultRule {
  /** Which requests it may hit; all if absent. */
  readonly match?: FaultMatch;
  /** How many matching requests succeed first; 0 if absent. */
  readonly skip?: number;
  /** How many matching requests the fault hits after those; 1 if absent. */
  readonly times?: number;
  /** What happens to them. */
  readonly do: FaultAction;
}

/** An added rule: how often it has hit, and how to remove it. */
export interface FaultHandle {
  readonly hits: number;
  /** Takes the rule out; may be called twice. */
  remove(): void;
}

interface ActiveRule {
  readonly rule: FaultRule;
  skipped: number;
  hits: number;
}

/** Conditions of the whole service, which no rule about a single request can express. */
export interface ServiceConditions {
  /** How many of the next partial updates respond with 200 and create no revision. */
  patchesWithoutRevision: number;
  /** How many of the next partial updates are followed at once by a revision of another user. */
  foreignRevisions: number;
  /** A tarball makes one revision: an update that names the path of an earlier one is refused. */
  tarballsServeOnce: boolean;
  /** How long a new deployment is missing from the list, milliseconds. */
  listLagMilliseconds: number;
  /** How long a deleted deployment can still be read, as AWAITING_DELETE, milliseconds. */
  deleteMilliseconds: number;
  /** A name stays taken by the traces of a deleted deployment, unless the delete asks to delete them, too. */
  keepsTraces: boolean;
  /** Returned with each upload URL and required from the upload, like headers in a signature. */
  uploadHeaders: Readonly<Record<string, string>> | undefined;
  /** How many more runs begin before all agent servers are down, for every request; Infinity for never. */
  runsUntilOutage: number;
  /** What a request to an agent server that is down gets. */
  outage: FaultAction;
}

const NO_CONDITIONS: Readonly<ServiceConditions> = {
  patchesWithoutRevision: 0,
  foreignRevisions: 0,
  tarballsServeOnce: false,
  listLagMilliseconds: 0,
  deleteMilliseconds: 0,
  keepsTraces: false,
  uploadHeaders: undefined,
  runsUntilOutage: Number.POSITIVE_INFINITY,
  outage: { kind: "reset" },
};

const RUN = /\/runs\/(?:stream|wait)$/;

/** The faults to inject; they can be changed while the service runs. */
export class Faults {
  readonly conditions: ServiceConditions = { ...NO_CONDITIONS };
  /**
   * What happens to the next revisions.
   * @internal
   */
  readonly revisions = new Fates<RevisionFate>({});
  /**
   * What happens to the next runs of the built-in agent.
   * @internal
   */
  readonly runs = new Fates<RunFate>({});
  #rules: ActiveRule[] = [];

  /** Adds a rule behind those that are there; for each request, the first that matches and is not used up counts. */
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

  /** Sets the fate of the next revision; several calls queue up. */
  nextRevision(fate: RevisionFate): void {
    this.revisions.push(fate);
  }

  /** Sets the fate of the next run of the built-in agent; several calls queue up. */
  nextRun(fate: RunFate): void {
    this.runs.push(fate);
  }

  /** Removes all faults and releases held revisions and runs. */
  clear(): void {
    this.#rules = [];
    Object.assign(this.conditions, NO_CONDITIONS);
    this.revisions.clear();
    this.runs.clear();
  }

  /**
   * The fault for this request: that of an outage, or of the first matching rule that is not used up.
   * @internal
   */
  take(request: { readonly server: "service" | "agent"; readonly method: string; readonly path: string }) {
    if (request.server === "agent") {
      if (request.method === "POST" && RUN.test(request.path)) this.conditions.runsUntilOutage -= 1;
      if (this.conditions.runsUntilOutage < 0) return this.conditions.outage;
    }
    for (const active of this.#rules) {
      const { match = {}, skip = 0, times = 1 } = active.rule;
      const { server = request.server, method = request.method, path = request.path } = match;
      if (active.hits >= times || server !== request.server || method !== request.method) continue;
      // Last: an expression with the flag `g` remembers where it found something.
      if (typeof path === "string" ? path !== request.path : !path.test(request.path)) continue;
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

const ALWAYS = { times: Number.POSITIVE_INFINITY };
const missing = (status: number): FaultRule["do"] => ({
  kind: "answer",
  status,
  body: { detail: status === 405 ? "Method Not Allowed" : "Not Found" },
});

/** The service has no list of deployments. */
export function noList(status: 404 | 405 = 405): FaultRule {
  return { ...ALWAYS, match: { method: "GET", path: /\/v2\/deployments$/ }, do: missing(status) };
}

/** The service has no delete of deployments. */
export function noDelete(status: 404 | 405 = 405): FaultRule {
  return { ...ALWAYS, match: { method: "DELETE" }, do: missing(status) };
}

/** The service has no build and deploy logs. */
export function noLogs(): FaultRule {
  return { ...ALWAYS, match: { path: /\/(?:build_logs|deploy_logs|logs)$/ }, do: missing(404) };
}

/** The upload-url endpoint exists only under `/v2`, not under the documented path. */
export function uploadUrlOnlyUnderV2(status: 404 | 405 = 404): FaultRule {
  return { ...ALWAYS, match: { method: "POST", path: /^(?!.*\/v2\/).*\/upload-url$/ }, do: missing(status) };
}

/** The object store rejects the next uploads, as it does when a signed URL has expired. */
export function uploadRefused(times = 1, status = 403): FaultRule {
  return {
    times,
    match: { method: "PUT", path: /^\/objects\// },
    do: { kind: "answer", status, body: { detail: "The signed URL has expired." } },
  };
}

/** The next uploads of experiments are too large for a proxy in front of the service, which responds in HTML. */
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
