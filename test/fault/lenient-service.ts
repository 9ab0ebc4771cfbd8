import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { WireAnswer } from "../wire/faults.ts";
import type { WireRequest } from "../wire/wire-request.ts";

const Update = z.object({ source_revision_config: z.record(z.string(), z.unknown()) });
const Create = Update.extend({ name: z.string() });

interface MadeRevision {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** A deployment as this service made it. */
export interface MadeDeployment {
  readonly id: string;
  readonly name: string;
  readonly at: number;
  /** Oldest first. */
  readonly revisions: MadeRevision[];
}

/**
 * A control plane that prevents nothing: it makes a deployment for each create, whatever its name, and a revision for
 * each update. What a client sends twice is there twice, so that only the client can keep it from happening.
 */
export class LenientService {
  readonly deployments: MadeDeployment[] = [];
  /** How long what was made is missing from every answer to a GET, milliseconds of the client's clock. */
  lagMilliseconds = 0;
  /** Another user updates a deployment as soon as it was updated. */
  othersFollow = false;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly handle = ({ method, path, query, body }: WireRequest): WireAnswer => {
    const [, , , id, list] = path.split("/");
    if (method === "POST") return this.#create(Create.parse(JSON.parse(body.toString())));
    if (id === undefined) return this.#list(query);
    const deployment = this.deployments.find((each) => each.id === id && this.#isVisible(each));
    if (deployment === undefined) return { status: 404, body: { detail: `Deployment ID ${id} not found.` } };
    if (method === "PATCH") return this.#update(deployment, Update.parse(JSON.parse(body.toString())));
    if (list !== "revisions") return { status: 200, body: this.#view(deployment) };
    const shown = deployment.revisions.filter((revision) => this.#isVisible(revision)).toReversed();
    return page(
      shown.map((revision) => viewRevision(revision)),
      query,
    );
  };

  /** Makes a deployment that was there long ago. */
  add(name: string, config: Readonly<Record<string, unknown>>): MadeDeployment {
    const at = Number.NEGATIVE_INFINITY;
    const made = { id: randomUUID(), name, at, revisions: [{ id: randomUUID(), config, at }] };
    this.deployments.push(made);
    return made;
  }

  #create(body: z.infer<typeof Create>): WireAnswer {
    const at = this.#now();
    const first = { id: randomUUID(), config: body.source_revision_config, at };
    const made = { id: randomUUID(), name: body.name, at, revisions: [first] };
    this.deployments.push(made);
    return { status: 201, body: this.#view(made, at + this.lagMilliseconds) };
  }

  #update(deployment: MadeDeployment, body: z.infer<typeof Update>): WireAnswer {
    const at = this.#now();
    const add = (config: Record<string, unknown>) => deployment.revisions.push({ id: randomUUID(), config, at });
    add(body.source_revision_config);
    const answer = { status: 200, body: this.#view(deployment, at + this.lagMilliseconds) };
    if (this.othersFollow) add({ source_tarball_path: `objects/of-somebody-else-${randomUUID()}` });
    return answer;
  }

  #list(query: URLSearchParams): WireAnswer {
    const named = this.deployments.filter(({ name }) => name.includes(query.get("name_contains") ?? ""));
    const shown = named.filter((each) => this.#isVisible(each)).toReversed();
    return page(
      shown.map((each) => this.#view(each)),
      query,
    );
  }

  #isVisible({ at }: { readonly at: number }, now = this.#now()): boolean {
    return at + this.lagMilliseconds <= now;
  }

  #view({ id, name, revisions }: MadeDeployment, now = this.#now()) {
    const latest = revisions.findLast((revision) => this.#isVisible(revision, now));
    return {
      id,
      name,
      source: "internal_source",
      latest_revision_id: latest?.id ?? null,
      source_revision_config: latest?.config ?? null,
    };
  }
}

function viewRevision({ id, config }: MadeRevision) {
  return { id, status: "QUEUED", source: "internal_source", source_revision_config: config };
}

function page(items: readonly object[], query: URLSearchParams): WireAnswer {
  const offset = Number(query.get("offset") ?? 0);
  const resources = items.slice(offset, offset + Number(query.get("limit") ?? 20));
  return { status: 200, body: { resources, offset: offset + resources.length } };
}
