import { ListedSession, UPLOAD_MARK } from "../contract/experiment-answer.ts";
import { EXPERIMENTS } from "../contract/operations/experiments.ts";
import { requestTo } from "../contract/operations/operation.ts";
import { joinUrl } from "../http/base-url.ts";
import { InvalidResponseError, isTransient } from "../http/errors.ts";
import { findPath } from "../http/find-path.ts";
import type { ApiRequest, JsonApi } from "../http/json-api.ts";

// A page of the public services. A full page may hide what was not listed.
const PAGE = 100;
const LOOK_MILLISECONDS = 10_000;

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
export type Look =
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

/** Looks for experiments by their name, in the list that public services have. */
export class ExperimentSearch {
  readonly #apis: () => readonly JsonApi[];

  /** `apis`: the paths below which the service may be, the likeliest first. */
  constructor(apis: () => readonly JsonApi[]) {
    this.#apis = apis;
  }

  /** The address that lists the experiments of a name. */
  addressOf(name: string): string {
    const [api] = this.#apis();
    return api ? joinUrl(api.url, EXPERIMENTS.sessions.path, { name }).href : "";
  }

  /** Looks once. Without a mark nothing that is found is ours. */
  async byName(name: string, mark: string | undefined): Promise<Look> {
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
  async listsExperiments(): Promise<boolean> {
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
