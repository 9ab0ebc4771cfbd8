import { ListedSession, UPLOAD_MARK } from "../contract/experiment-answer.ts";
import { EXPERIMENTS } from "../contract/operations/experiments.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { joinUrl } from "../http/base-url.ts";
import { InvalidResponseError, isTransient } from "../http/errors.ts";
import { findPath } from "../http/find-path.ts";
import type { HttpClient } from "../http/http-client.ts";
import type { ApiRequest, JsonApi } from "../http/json-api.ts";
import type { Sight } from "./next-step.ts";
import type { ReadyExperiment } from "./terms.ts";

// A page of the public services. A full page may hide what was not listed.
const PAGE = 100;
const LOOK_MILLISECONDS = 10_000;
// After a timeout the service may still be storing, and is looked at for longer.
const LATE_LOOK_MILLISECONDS = 8_000;
// An attempt may take all of the time; what came of it is looked for all the same.
const GRACE_MILLISECONDS = 30_000;

/** An experiment that the service has. */
export interface FoundExperiment {
  readonly id: string;
  readonly datasetId: string | undefined;
  readonly tenantId: string | undefined;
}

/**
 * What the list of a service shows of a name: `missing` where there is no such list, `failed` where it did not respond
 * this time.
 */
type Look =
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly error: unknown }
  | {
      readonly kind: "seen";
      /** Those with the mark, each once. */
      readonly ours: readonly FoundExperiment[];
      /** How many of the name have other metadata, and how many do not show theirs. */
      readonly others: number;
      readonly unreadable: number;
      /** True if one of those that are listed is an experiment. */
      readonly hasExperiment: boolean;
      /** False where there may be more of the name: the list ignores the name, or its page is full. */
      readonly isWhole: boolean;
    };

/** What the list of the service shows, and which experiments have the mark of the upload. */
export interface Seen {
  readonly sight: Sight;
  readonly ours: readonly FoundExperiment[];
  /** The error of the last look, if it failed and none before it showed anything. */
  readonly failure?: unknown;
}

/** How an experiment is looked for, and until when; times are milliseconds. */
export interface Looking {
  /** When the upload has to end, by the clock. */
  readonly end: number;
  /** Before each look. */
  readonly pauses: readonly number[];
  /** So many may be stored: once they are seen, nothing more is looked for. */
  readonly most: number;
  /** True after a conflict: another experiment of the name decides, since this service takes a name once. */
  readonly isNamed?: boolean;
  /** How long to go on looking. */
  readonly patience?: number;
}

/** Looks for experiments by their name, in the list that public services have. */
export class ExperimentSearch {
  readonly #apis: () => readonly JsonApi[];
  readonly #http: Pick<HttpClient, "clock" | "signal">;

  /** `apis`: the paths below which the service may be, the likeliest first. */
  constructor(apis: () => readonly JsonApi[], http: Pick<HttpClient, "clock" | "signal">) {
    this.#apis = apis;
    this.#http = http;
  }

  /** The address that lists the experiments of a name. */
  addressOf(name: string): string {
    const [api] = this.#apis();
    return api ? joinUrl(api.url, EXPERIMENTS.sessions.path, { name }).href : "";
  }

  /** Looks until the list shows what is expected, or the pauses and the patience are over; the last look decides. */
  async lookFor(
    { name, mark }: Pick<ReadyExperiment, "mark" | "name">,
    { end, pauses, most, isNamed = false, patience = 0 }: Looking,
  ): Promise<Seen> {
    const { clock, signal } = this.#http;
    const start = clock.now();
    const until = Math.min(start + patience, Math.max(end, start + GRACE_MILLISECONDS));
    let last: Look = { kind: "missing" };
    let failure: unknown;
    for (let index = 0; index < pauses.length || clock.now() < until; index += 1) {
      await clock.sleep(pauses[index] ?? LATE_LOOK_MILLISECONDS, signal);
      const look = await this.#byName(name, mark);
      signal.throwIfAborted();
      failure = look.kind === "failed" ? look.error : undefined;
      if (look.kind === "missing") break;
      if (look.kind === "failed") continue;
      last = look;
      if (look.ours.length >= most || (isNamed && look.others > 0)) break;
    }
    if (last.kind !== "seen") return { sight: "unknown", ours: [], failure };
    const { ours, others, unreadable, hasExperiment, isWhole } = last;
    if (ours.length > 0) return { sight: ours.length > 1 ? "twice" : "ours", ours };
    if (unreadable > 0 || !isWhole) return { sight: "unknown", ours };
    const isProven = hasExperiment || (await this.#listsExperiments());
    if (!isProven) return { sight: "unknown", ours };
    return { sight: others > 0 ? "other" : "absent", ours };
  }

  /** Looks once. Without a mark nothing that is found is ours. */
  async #byName(name: string, mark: string | undefined): Promise<Look> {
    const list = await this.#list(requestTo(EXPERIMENTS.sessions, {}, { query: { name, limit: PAGE } }));
    if ("kind" in list) return list;
    const ours = new Map<string, FoundExperiment>();
    let others = 0;
    let unreadable = 0;
    for (const { id, name: listed, reference_dataset_id: dataset, tenant_id: tenant, extra } of list) {
      if (listed !== name) continue;
      const metadata = extra?.metadata;
      const isMarked = mark !== undefined && metadata?.[UPLOAD_MARK] === mark;
      if (isMarked) ours.set(id, { id, datasetId: dataset ?? undefined, tenantId: tenant ?? undefined });
      else if (dataset == null || metadata != null) others += 1;
      else unreadable += 1;
    }
    const isFiltered = list.every(({ name: listed }) => listed === name);
    const isWhole = isFiltered && list.length < PAGE;
    return { kind: "seen", ours: [...ours.values()], others, unreadable, hasExperiment: hasExperiment(list), isWhole };
  }

  /** True if the list has some experiment: one that is not in it is not stored then. */
  async #listsExperiments(): Promise<boolean> {
    // A service that does not know the filter lists projects, too.
    const query = { reference_free: "false", limit: PAGE };
    const list = await this.#list(requestTo(EXPERIMENTS.sessions, {}, { query }));
    return !("kind" in list) && hasExperiment(list);
  }

  async #list(
    request: ApiRequest<typeof EXPERIMENTS.sessions.reply>,
  ): Promise<Exclude<Look, { kind: "seen" }> | readonly ListedSession[]> {
    const times = { attemptMilliseconds: LOOK_MILLISECONDS, deadlineMilliseconds: LOOK_MILLISECONDS };
    try {
      const { result } = await findPath(this.#apis(), (api) => api.request({ ...times, ...request }));
      const sessions = result.map((element) => ListedSession.safeParse(element).data);
      // An element that cannot be read may be the one that is looked for.
      return sessions.every((session) => session !== undefined) ? sessions : { kind: "missing" };
    } catch (error) {
      const mayImprove = isTransient(error) && !(error instanceof InvalidResponseError);
      return mayImprove ? { kind: "failed", error } : { kind: "missing" };
    }
  }
}

function hasExperiment(list: readonly ListedSession[]): boolean {
  return list.some(({ reference_dataset_id: dataset }) => dataset != null);
}
