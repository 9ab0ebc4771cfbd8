import * as z from "zod";
import type { LocalService } from "../../src/local/index.ts";

const DEPLOYMENT = /\/v2\/deployments\/[^/]+$/;
const REVISION = /\/revisions\/[^/]+$/;
const REVISIONS = /\/revisions$/;
const ID_FIELD = /(?<="(?:\w+_)?id":")[^"]+/g;
const Fields = z.record(z.string(), z.unknown());

/** A change of what a service answers, field by field. */
export type Change = Readonly<Record<string, unknown>>;

/** What stands between a service and who reads from it: copies that lag, caches, other spellings, odd fields. */
export class StaleReads {
  readonly #service: LocalService;

  constructor(service: LocalService) {
    this.#service = service;
  }

  /** The next reads of the deployment are answered with these fields in place of its own; the first `skip` are not. */
  deployment(fields: Change, times = Number.POSITIVE_INFINITY, skip = 0): void {
    this.#edit(DEPLOYMENT, fields, times, skip);
  }

  /** The next reads of a revision are answered with these fields in place of its own; the first `skip` are not. */
  revision(fields: Change | ((id: unknown) => Change), { skip = 0, times = Number.POSITIVE_INFINITY } = {}): void {
    this.#edit(REVISION, fields, times, skip);
  }

  /** The next reads of a revision find none. */
  missing(times: number, skip = 0): void {
    const body = { detail: "Revision not found." };
    const match = { method: "GET", path: REVISION };
    this.#service.faults.add({ match, skip, times, do: { kind: "answer", status: 404, body } });
  }

  /** The service has no list of revisions, as the contract of the API names none. */
  noRevisions(): void {
    const match = { method: "GET", path: REVISIONS };
    const times = Number.POSITIVE_INFINITY;
    this.#service.faults.add({ match, times, do: { kind: "answer", status: 404, body: { detail: "Not Found" } } });
  }

  /** The answers of this kind hold their ids in upper case. */
  upperCase(kind: "all" | "deployment" | "PATCH"): void {
    const match =
      kind === "all" ? { path: /^\/v2\// } : kind === "PATCH" ? { method: kind } : { method: "GET", path: DEPLOYMENT };
    const edit = (json: unknown): unknown =>
      JSON.parse(JSON.stringify(json).replace(ID_FIELD, (id) => id.toUpperCase())) as unknown;
    const times = Number.POSITIVE_INFINITY;
    this.#service.faults.add({ match: { server: "service", ...match }, times, do: { kind: "edit", edit } });
  }

  /** The next answer to an update has these fields in place of its own. */
  update(fields: Change, method = "PATCH"): void {
    const edit = (json: unknown) => ({ ...Fields.parse(json), ...fields });
    this.#service.faults.add({ match: { method }, do: { kind: "edit", edit } });
  }

  #edit(path: RegExp, fields: Change | ((id: unknown) => Change), times: number, skip = 0): void {
    const edit = (json: unknown) => {
      const own = Fields.parse(json);
      return { ...own, ...(typeof fields === "function" ? fields(own["id"]) : fields) };
    };
    this.#service.faults.add({ match: { method: "GET", path }, skip, times, do: { kind: "edit", edit } });
  }
}
