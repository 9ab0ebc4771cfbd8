import { randomUUID } from "node:crypto";
import * as z from "zod";
import { startFaultServer, type FaultServer } from "./fault-server.ts";
import type { WireAnswer } from "./faults.ts";
import type { WireRequest } from "./wire-request.ts";

const Update = z.looseObject({ source_revision_config: z.record(z.string(), z.unknown()) });
const Create = Update.extend({ name: z.string(), source: z.string() });

interface MadeRevision {
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
  /** The first read of it finds it on its way. */
  isRead: boolean;
}

/** A deployment as this service made it. */
interface MadeDeployment {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly at: number;
  /** Oldest first. */
  readonly revisions: MadeRevision[];
}

/** What the service does where the contract is silent. */
interface Silences {
  /** The list of deployments: none, or one that shows their names, hides them, or cannot be read. */
  readonly list?: "nameless" | "named" | "none" | "unreadable";
  /** A response has no name of a deployment. */
  readonly hidesNames?: boolean;
  /** How long what was made is missing from the list, milliseconds of `now`. */
  readonly listLagMilliseconds?: number;
  readonly now?: () => number;
  /** So many creates are carried out before the first of them is answered, as when runs begin at once. */
  readonly createsTogether?: number;
}

/**
 * A service with exactly the five endpoints of the contract, and the store of its uploads. It takes a name twice, as the
 * contract does not forbid it.
 */
export class ContractService {
  readonly deployments: MadeDeployment[] = [];
  #front: FaultServer | undefined;
  readonly #silences: Silences;
  readonly #waiting: (() => void)[] = [];

  private constructor(silences: Silences) {
    this.#silences = silences;
  }

  static async start(silences: Silences = {}): Promise<ContractService> {
    const service = new ContractService(silences);
    service.#front = await startFaultServer((request) => service.#handle(request));
    return service;
  }

  get front(): FaultServer {
    if (this.#front === undefined) throw new Error("The service has not started.");
    return this.#front;
  }

  /** `METHOD /path` of every request so far, ids replaced by their kind. */
  requests(): readonly string[] {
    return this.front.requests.map(
      ({ method, path }) => `${method} ${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")}`,
    );
  }

  #handle({ method, path, query, body }: WireRequest): Promise<WireAnswer> | WireAnswer {
    const json = () => JSON.parse(body.toString()) as unknown;
    if (method === "PUT") return { status: 200 };
    const [, id, more, revisionId] =
      /^(?:\/v2)?\/deployments(?:\/([^/]+)(?:\/([^/]+)(?:\/([^/]+))?)?)?$/.exec(path) ?? [];
    if (id === undefined) return method === "POST" ? this.#create(Create.parse(json())) : this.#list(query);
    const deployment = this.deployments.find((each) => each.id === id);
    if (deployment === undefined) return { status: 404, body: { detail: `Deployment ID ${id} not found.` } };
    if (method === "POST" && more === "upload-url" && !path.startsWith("/v2")) {
      const object = `objects/${randomUUID()}`;
      return { status: 200, body: { upload_url: `${this.front.url}/${object}`, object_path: object } };
    }
    if (method === "PATCH" && more === undefined) {
      deployment.revisions.push(revisionOf(Update.parse(json()).source_revision_config));
      return { status: 200, body: this.#view(deployment) };
    }
    if (method === "GET" && more === undefined) return { status: 200, body: this.#view(deployment) };
    const revision = deployment.revisions.find((each) => each.id === revisionId);
    if (method !== "GET" || more !== "revisions" || revision === undefined) return NOT_FOUND;
    const status = revision.isRead ? "DEPLOYED" : "DEPLOYING";
    revision.isRead = true;
    const { source } = deployment;
    return { status: 200, body: { id: revision.id, status, source, source_revision_config: revision.config } };
  }

  async #create({ name, source, source_revision_config: config }: z.infer<typeof Create>): Promise<WireAnswer> {
    const { now = () => 0, createsTogether = 0 } = this.#silences;
    const made = { id: randomUUID(), name, source, at: now(), revisions: [revisionOf(config)] };
    this.deployments.push(made);
    if (this.deployments.length < createsTogether) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else for (const go of this.#waiting) go();
    return { status: 201, body: this.#view(made) };
  }

  #list(query: URLSearchParams): WireAnswer {
    const { list = "none", listLagMilliseconds: lag = 0, now = () => 0, createsTogether = 0 } = this.#silences;
    if (list === "none") return NOT_FOUND;
    if (list === "unreadable") return { status: 200, body: this.deployments.map((each) => this.#view(each)) };
    // What no create is answered for yet is in no list.
    const all = this.deployments.length < createsTogether ? [] : this.deployments;
    const named = all.filter(({ name, at }) => name === query.get("name") && at + lag <= now());
    const resources = named.slice(Number(query.get("offset") ?? 0)).map((each) => this.#view(each));
    return { status: 200, body: { resources: list === "named" ? resources : resources.map(withoutName) } };
  }

  #view({ id, name, source, revisions }: MadeDeployment) {
    const latest = revisions.at(-1);
    const all = { id, name, source, latest_revision_id: latest?.id, source_revision_config: latest?.config };
    return this.#silences.hidesNames === true ? withoutName(all) : all;
  }
}

function revisionOf(config: MadeRevision["config"]): MadeRevision {
  return { id: randomUUID(), config, isRead: false };
}

const NOT_FOUND = { status: 404, body: { detail: "Not Found" } };

function withoutName(view: Readonly<Record<string, unknown>>) {
  return { ...view, name: undefined };
}
