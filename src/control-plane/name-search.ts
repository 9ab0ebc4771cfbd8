import * as z from "zod";
import { Deployment, listPage } from "../contract/deployment.ts";
import { CONTROL_PLANE } from "../contract/operations/control-plane.ts";
import { elementOf } from "../contract/spare.ts";
import type { Clock } from "../http/clock.ts";
import { hasStatus, InvalidResponseError, isMissingEndpoint } from "../http/errors.ts";
import type { CallOptions } from "../http/json-api.ts";
import type { ListOptions } from "../http/page-walk.ts";
import { askTwice } from "../http/retry.ts";
import { AmbiguousNameError, ListMismatchError, NoListError } from "./errors.ts";

// A service filters by the name. One that does not has 10,000 deployments on so many pages of the usual size.
const PAGES_OF_NAME = 100;
// More of one name need not be counted.
const MOST_OF_NAME = 20;
// A list that still gives what a read by its id does not find lags behind a delete by more than a few seconds.
const MOST_LOOKS = 3;
const LAG_PAUSE_MILLISECONDS = 1_000;

const Named = z.looseObject({ name: z.string() });

export type DeploymentPage = typeof CONTROL_PLANE.list.reply;

export interface SearchPlaces {
  readonly list: (
    query: Readonly<Record<string, string>>,
    options: ListOptions,
    schema: DeploymentPage,
  ) => AsyncIterable<Deployment>;
  readonly get: (id: string) => Promise<Deployment>;
  readonly clock: Clock;
}

/**
 * The search for a deployment by its name, in a list that the contract does not have. That a name is in no list is only
 * true of a list that can be read and whose deployments have names: anything else is a NoListError, because a create on
 * top of it makes a second deployment.
 */
export class NameSearch {
  readonly #places: SearchPlaces;
  readonly #options: CallOptions & { readonly signal: AbortSignal };

  constructor(places: SearchPlaces, options: CallOptions & { readonly signal: AbortSignal }) {
    this.#places = places;
    this.#options = options;
  }

  /** The one deployment of exactly this name: what the list gives for it is read by its id, and its name compared. */
  async one(name: string): Promise<Deployment | undefined> {
    const { get, clock } = this.#places;
    for (let look = 1; ; look += 1) {
      const listed = await this.all(name);
      const ids = listed.map(({ id }) => id);
      const [id] = ids;
      if (ids.length > 1) throw new AmbiguousNameError(name, ids, { isAll: ids.length < MOST_OF_NAME });
      if (id === undefined) return undefined;
      try {
        const deployment = await get(id);
        if ((deployment.name ?? name) === name) return { ...deployment, name };
        throw new ListMismatchError(name, id, deployment.name);
      } catch (error) {
        if (!hasStatus(error, 404)) throw error;
        if (look === MOST_LOOKS) throw new ListMismatchError(name, id, undefined);
        await clock.sleep(look * LAG_PAUSE_MILLISECONDS, this.#options.signal);
      }
    }
  }

  /** All deployments of exactly this name, as the list shows them. */
  async all(name: string): Promise<readonly Deployment[]> {
    const { clock } = this.#places;
    const { signal } = this.#options;
    try {
      // A gateway's 404 says nothing about the service.
      return await askTwice(() => this.#listed(name), [404], { clock, signal });
    } catch (error) {
      if (isMissingEndpoint(error)) throw new NoListError(name, error.message, { kind: "missing", cause: error });
      if (hasStatus(error, 400, 422) || error instanceof InvalidResponseError) {
        throw new NoListError(name, error.message, { kind: "undecided", cause: error });
      }
      throw error;
    }
  }

  /** A deployment whose name differs from this one in its case only. */
  async inAnotherCase(name: string): Promise<Deployment | undefined> {
    const folded = name.toLowerCase();
    // A filter by the name may distinguish the case.
    for await (const deployment of this.#pages({}, CONTROL_PLANE.list.reply)) {
      if (deployment.name?.toLowerCase() === folded) return deployment;
    }
    return undefined;
  }

  async #listed(name: string): Promise<readonly Deployment[]> {
    const found: Deployment[] = [];
    let nameless: string | undefined;
    // Services differ in which of the two they know, and some take `name` as a prefix.
    const query = { name, name_contains: name };
    const page = listPage(elementOf(Deployment, (other) => Named.safeParse(other).data?.name === name));
    for await (const deployment of this.#pages(query, page)) {
      if (deployment.name === name) found.push(deployment);
      else if (deployment.name === undefined) nameless ??= deployment.id;
      if (found.length === MOST_OF_NAME) break;
    }
    if (found.length > 0 || nameless === undefined) return found;
    throw new NoListError(name, `it lists deployment ${nameless} without a name`, { kind: "undecided" });
  }

  #pages(query: Readonly<Record<string, string>>, schema: DeploymentPage) {
    return this.#places.list(query, { ...this.#options, mostPages: PAGES_OF_NAME }, schema);
  }
}
