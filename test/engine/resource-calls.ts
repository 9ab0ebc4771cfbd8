import type { ServiceError } from "@grpc/grpc-js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { HostError } from "./host-error.ts";
import { fromStruct, toStruct } from "./property-values.ts";
import type { Properties } from "./property-values.ts";

/** How a call is made; `preview` writes nothing. */
interface CallOptions {
  readonly preview?: boolean;
  readonly timeoutSeconds?: number;
}

/** Which resource a call is about. */
export interface Subject {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
}

type Answer<T> = (error: ServiceError | null, response: T) => void;

/** The response to a call; rejects with a `HostError`. */
export function call<T>(start: (answer: Answer<T>) => unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, response) => {
      if (error === null) resolve(response);
      else reject(new HostError(error));
    });
  });
}

/** What an engine asks a provider about one resource. Every call rejects with a `HostError`. */
export class ResourceCalls {
  protected readonly client: ResourceProviderClient;
  readonly #of: Subject;

  constructor(client: ResourceProviderClient, of: Subject) {
    this.client = client;
    this.#of = of;
  }

  /** `olds` are the old inputs, {} for a new resource. */
  async check(olds: Properties, news: Properties) {
    const request = this.#about(new providerPb.CheckRequest()).setOlds(toStruct(olds)).setNews(toStruct(news));
    return checkOf(await call((answer) => this.client.check(request, answer)));
  }

  /** `olds` are the old outputs, `news` the checked inputs. */
  async diff(id: string, olds: Properties, news: Properties) {
    const request = this.#about(new providerPb.DiffRequest()).setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
    return diffOf(await call((answer) => this.client.diff(request, answer)));
  }

  async create(inputs: Properties, { preview = false, timeoutSeconds = 0 }: CallOptions = {}) {
    const request = this.#about(new providerPb.CreateRequest())
      .setProperties(toStruct(inputs))
      .setPreview(preview)
      .setTimeout(timeoutSeconds);
    const response = await call<InstanceType<typeof providerPb.CreateResponse>>((answer) =>
      this.client.create(request, answer),
    );
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  /** `olds` are the old outputs, `news` the checked inputs. */
  async update(
    id: string,
    olds: Properties,
    news: Properties,
    { preview = false, timeoutSeconds = 0 }: CallOptions = {},
  ) {
    const request = this.#about(new providerPb.UpdateRequest())
      .setId(id)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news))
      .setPreview(preview)
      .setTimeout(timeoutSeconds);
    const response = await call<InstanceType<typeof providerPb.UpdateResponse>>((answer) =>
      this.client.update(request, answer),
    );
    return { outputs: fromStruct(response.getProperties()) };
  }

  /** `properties` are the outputs of a refresh, or the inputs of a `.get()`; without them the resource is imported. An empty `id`: nothing was found. */
  async read(id: string, properties: Properties = {}, inputs: Properties = {}) {
    const request = this.#about(new providerPb.ReadRequest())
      .setId(id)
      .setProperties(toStruct(properties))
      .setInputs(toStruct(inputs));
    const response = await call<InstanceType<typeof providerPb.ReadResponse>>((answer) =>
      this.client.read(request, answer),
    );
    return {
      id: response.getId(),
      outputs: fromStruct(response.getProperties()),
      inputs: fromStruct(response.getInputs()),
    };
  }

  async delete(id: string, outputs: Properties, { timeoutSeconds = 0 }: CallOptions = {}): Promise<void> {
    const request = this.#about(new providerPb.DeleteRequest())
      .setId(id)
      .setProperties(toStruct(outputs))
      .setTimeout(timeoutSeconds);
    await call<unknown>((answer) => this.client.delete(request, answer));
  }

  /** The request, with the resource that it is about. */
  #about<Request extends Named>(request: Request): Request {
    request.setUrn(this.#of.urn);
    request.setName(this.#of.name);
    request.setType(this.#of.type);
    return request;
  }
}

interface Named {
  setUrn(urn: string): unknown;
  setName(name: string): unknown;
  setType(type: string): unknown;
}

/** What a check says. */
export function checkOf(response: InstanceType<typeof providerPb.CheckResponse>) {
  return { inputs: fromStruct(response.getInputs()), failures: failuresOf(response.getFailuresList()) };
}

export function failuresOf(failures: ReturnType<InstanceType<typeof providerPb.CheckResponse>["getFailuresList"]>) {
  return failures.map((one) => ({ property: one.getProperty(), reason: one.getReason() }));
}

/** What a diff says. `unknown`: the provider has none, or did not answer with true or false. */
export function diffOf(response: InstanceType<typeof providerPb.DiffResponse>) {
  const kinds = ["add", "add-replace", "delete", "delete-replace", "update", "update-replace"] as const;
  const detail = response.getDetaileddiffMap();
  return {
    changes: (["unknown", "none", "some"] as const)[response.getChanges()],
    replaces: response.getReplacesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
    detail: Object.fromEntries([...detail.entries()].map(([key, one]) => [key, kinds[one.getKind()]] as const)),
  };
}
