import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import { fromStruct, plain, toStruct } from "./property-values.ts";
import type { Properties } from "./property-values.ts";
import { call, ProviderProcess, startProvider } from "./provider-process.ts";

/** How a call is made; `preview` writes nothing. */
export interface CallOptions {
  readonly preview?: boolean;
  readonly timeoutSeconds?: number;
}

/** Which resource a call is about. */
export interface Subject {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
}

/** A plugin, called as the engine does. */
export class PluginProcess extends ProviderProcess {
  static async start(options: Parameters<typeof startProvider>[0]): Promise<PluginProcess> {
    return new PluginProcess(await startProvider(options));
  }

  async handshake() {
    const request = new providerPb.ProviderHandshakeRequest().setEngineAddress(this.engineAddress);
    return await call<InstanceType<typeof providerPb.ProviderHandshakeResponse>>((answer) =>
      this.client.handshake(request, answer),
    );
  }

  async schema(): Promise<unknown> {
    const response = await call<InstanceType<typeof providerPb.GetSchemaResponse>>((answer) =>
      this.client.getSchema(new providerPb.GetSchemaRequest(), answer),
    );
    return JSON.parse(response.getSchema());
  }

  /** As an engine asks it, which takes the marks of secrets off. */
  async checkConfig(news: Properties, urn = "") {
    const request = new providerPb.CheckRequest().setUrn(urn).setNews(toStruct(plain(news)));
    return checkOf(await call((answer) => this.client.checkConfig(request, answer)));
  }

  /** As an engine asks it, which takes the marks of secrets off. */
  async diffConfig(olds: Properties, news: Properties) {
    const request = new providerPb.DiffRequest().setOlds(toStruct(plain(olds))).setNews(toStruct(plain(news)));
    return diffOf(await call((answer) => this.client.diffConfig(request, answer)));
  }

  async configure(args: Properties): Promise<void> {
    const request = new providerPb.ConfigureRequest().setArgs(toStruct(args)).setAcceptsecrets(true);
    await call<unknown>((answer) => this.client.configure(request, answer));
  }

  async invoke(token: string, args: Properties) {
    const request = new providerPb.InvokeRequest().setTok(token).setArgs(toStruct(args));
    const response = await call<InstanceType<typeof providerPb.InvokeResponse>>((answer) =>
      this.client.invoke(request, answer),
    );
    return { result: fromStruct(response.getReturn()), failures: failuresOf(response.getFailuresList()) };
  }

  /** `olds` are the old inputs, {} for a new resource. */
  async check(of: Subject, olds: Properties, news: Properties) {
    const request = about(new providerPb.CheckRequest(), of).setOlds(toStruct(olds)).setNews(toStruct(news));
    return checkOf(await call((answer) => this.client.check(request, answer)));
  }

  /** `olds` are the old outputs, `news` the checked inputs. */
  async diff(of: Subject, id: string, olds: Properties, news: Properties) {
    const request = about(new providerPb.DiffRequest(), of).setId(id).setOlds(toStruct(olds)).setNews(toStruct(news));
    return diffOf(await call((answer) => this.client.diff(request, answer)));
  }

  async create(of: Subject, inputs: Properties, { preview = false, timeoutSeconds = 0 }: CallOptions = {}) {
    const request = about(new providerPb.CreateRequest(), of)
      .setProperties(toStruct(inputs))
      .setPreview(preview)
      .setTimeout(timeoutSeconds);
    const response = await call<InstanceType<typeof providerPb.CreateResponse>>((answer) =>
      this.client.create(request, answer),
    );
    return { id: response.getId(), outputs: fromStruct(response.getProperties()) };
  }

  async update(
    of: Subject,
    id: string,
    olds: Properties,
    news: Properties,
    { preview = false, timeoutSeconds = 0 }: CallOptions = {},
  ) {
    const request = about(new providerPb.UpdateRequest(), of)
      .setId(id)
      .setOlds(toStruct(olds))
      .setNews(toStruct(news))
      .setPreview(preview)
      .setTimeout(timeoutSeconds);
    const response = await call<InstanceType<typeof providerPb.UpdateResponse>>((answer) =>
      this.client.update(request, answer),
    );
    return fromStruct(response.getProperties());
  }

  /** `properties` are the outputs of a refresh; without them the resource is imported. */
  async read(of: Subject, id: string, properties: Properties = {}, inputs: Properties = {}) {
    const request = about(new providerPb.ReadRequest(), of)
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

  async delete(of: Subject, id: string, outputs: Properties, { timeoutSeconds = 0 }: CallOptions = {}): Promise<void> {
    const request = about(new providerPb.DeleteRequest(), of)
      .setId(id)
      .setProperties(toStruct(outputs))
      .setTimeout(timeoutSeconds);
    await call<unknown>((answer) => this.client.delete(request, answer));
  }
}

type CheckFailures = ReturnType<InstanceType<typeof providerPb.CheckResponse>["getFailuresList"]>;

function checkOf(response: InstanceType<typeof providerPb.CheckResponse>) {
  return { inputs: fromStruct(response.getInputs()), failures: failuresOf(response.getFailuresList()) };
}

function failuresOf(failures: CheckFailures) {
  return failures.map((one) => ({ property: one.getProperty(), reason: one.getReason() }));
}

function diffOf(response: InstanceType<typeof providerPb.DiffResponse>) {
  const kinds = ["add", "add-replace", "delete", "delete-replace", "update", "update-replace"] as const;
  const detail = response.getDetaileddiffMap();
  return {
    changes: (["unknown", "none", "some"] as const)[response.getChanges()],
    replaces: response.getReplacesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
    detail: Object.fromEntries([...detail.entries()].map(([key, one]) => [key, kinds[one.getKind()]] as const)),
  };
}

interface Named {
  setUrn(urn: string): unknown;
  setName(name: string): unknown;
  setType(type: string): unknown;
}

/** The request, with the resource that it is about. */
function about<Request extends Named>(request: Request, { urn, name, type }: Subject): Request {
  request.setUrn(urn);
  request.setName(name);
  request.setType(type);
  return request;
}
