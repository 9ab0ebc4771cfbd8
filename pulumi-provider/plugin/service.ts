import { Metadata, status, type handleUnaryCall, type Server, type ServerErrorResponse } from "@grpc/grpc-js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import type {
  CheckRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  InvokeRequest,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import anyMessages from "google-protobuf/google/protobuf/any_pb.js";
import emptyMessages from "google-protobuf/google/protobuf/empty_pb.js";
import { VERSION } from "../../src/version.ts";
import type { CheckFailure } from "../core/inputs/failures.ts";
import type { Properties } from "../core/state/state.ts";
import { DeploymentProvider } from "../deployment-provider.ts";
import type { Host } from "../host.ts";
import { HostError } from "../host-error.ts";
import type { Running } from "../running.ts";
import { Deployments, marked, type DetailedDifference, type Subject } from "./deployments.ts";
import { FUNCTIONS } from "./functions.ts";
import { changedSettings, configReader, keptSettings, plainTextWarnings, settingFailures } from "./settings.ts";
import { fromStruct, plain, toStruct } from "./values.ts";

const DEPLOYMENT = "graph-deploy:index:Deployment";

/** What a program asked for is not in the schema. */
class UnknownTokenError extends Error {}

/**
 * Adds the provider to a server, as the engine calls it: one with its settings, since the engine starts a process for each.
 * What is thrown reaches the user as one sentence. `schema` is JSON, as Pulumi defines it.
 */
export function addProviderService(server: Server, host: Host, running: Running, schema: string): void {
  const { Kind } = messages.PropertyDiff;
  const { DiffChanges } = messages.DiffResponse;
  const KINDS = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  } as const;

  const failuresOf = (failures: readonly CheckFailure[]) =>
    failures.map(({ property, reason }) => new messages.CheckFailure().setProperty(property).setReason(reason));
  const checked = (inputs: Properties, failures: readonly CheckFailure[]) =>
    new messages.CheckResponse().setInputs(toStruct(inputs)).setFailuresList(failuresOf(failures));
  const resources = new Deployments(new DeploymentProvider(host), host);
  /** The resource that a call is about; there is one kind. */
  const deployments = (request: Named): Deployments => {
    // Engines before 3.134 send no type: it is the next to last part of the URN.
    const type = request.getType() || (request.getUrn().split("::").at(-2)?.split("$").at(-1) ?? "");
    if (type === DEPLOYMENT || type.endsWith("dynamic/graph-deploy:Deployment")) return resources;
    throw new UnknownTokenError(`The provider graph-deploy has no resource ${type}; it has ${DEPLOYMENT}.`);
  };
  const diffed = ({ changes, replaces, deleteBeforeReplace, changed, detail }: DetailedDifference) => {
    const response = new messages.DiffResponse()
      .setChanges(changes ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE)
      .setReplacesList([...replaces])
      .setDiffsList([...changed])
      .setDeletebeforereplace(deleteBeforeReplace)
      .setHasdetaileddiff(true);
    // The state is compared with the inputs, and so is what the engine shows: no difference is one of inputs alone.
    for (const [path, change] of detail) {
      const isReplaced = replaces.includes(path.split(/[.[]/, 1)[0] ?? path);
      const kind = KINDS[change][isReplaced ? 1 : 0];
      response.getDetaileddiffMap().set(path, new messages.PropertyDiff().setKind(kind));
    }
    return response;
  };

  server.addService(providerServices.ResourceProviderService, {
    handshake: unary(async () => new messages.ProviderHandshakeResponse().setAcceptSecrets(true)),
    getPluginInfo: unary(async () => new pluginMessages.PluginInfo().setVersion(VERSION)),
    attach: unary(async () => new emptyMessages.Empty()),
    getSchema: unary(async () => new messages.GetSchemaResponse().setSchema(schema)),
    // The settings as a state keeps them, and all that is wrong with them; what the stack has in plain text is warned of.
    checkConfig: unary(async (request: CheckRequest) => {
      const settings = fromStruct(request.getNews());
      return await host.answer({}, async () => {
        const log = host.tellerOf({});
        const warnings = await plainTextWarnings(request.getUrn(), host.programDirectory);
        for (const warning of warnings) log("warning", warning);
        return checked(keptSettings(settings), settingFailures(plain(settings), host));
      });
    }),
    // None of them is another provider: whether another address is another deployment, each deployment says. Without a
    // difference the engine continues with the settings of the last update.
    diffConfig: unary(async (request: DiffRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const changed = changedSettings(plain(olds), plain(news));
      return new messages.DiffResponse()
        .setChanges(changed.length > 0 ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE)
        .setDiffsList([...changed]);
    }),
    configure: unary(async (request: InstanceType<typeof messages.ConfigureRequest>) => {
      host.configure(configReader(plain(fromStruct(request.getArgs()))));
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    invoke: unary(async (request: InvokeRequest) => {
      const token = request.getTok();
      const known: Readonly<Record<string, (typeof FUNCTIONS)[keyof typeof FUNCTIONS]>> = FUNCTIONS;
      const called = Object.hasOwn(known, token) ? known[token] : undefined;
      if (!called) {
        const names = Object.keys(FUNCTIONS).join(", ");
        throw new UnknownTokenError(`The provider graph-deploy has no function ${token}; it has ${names}.`);
      }
      const given = plain(fromStruct(request.getArgs()));
      const response = new messages.InvokeResponse();
      const failures = failuresOf(called.failuresIn(given));
      if (failures.length > 0) return response.setReturn(toStruct({})).setFailuresList(failures);
      const result = await host.answer({}, async () => await called.call(given, host.depsOf({}, {}).controlPlane));
      return response.setReturn(toStruct(result));
    }),
    check: unary(async (request: CheckRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const { inputs, failures } = await deployments(request).check(subjectOf(request), olds, news);
      return checked(inputs, failures);
    }),
    diff: unary(async (request: DiffRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      return diffed(await deployments(request).diff(subjectOf(request), request.getId(), olds, news));
    }),
    create: unary(async (request: CreateRequest) => {
      const news = fromStruct(request.getProperties());
      const mode = { preview: request.getPreview(), timeoutSeconds: request.getTimeout() };
      const { id, properties } = await deployments(request).create(subjectOf(request), news, mode);
      return new messages.CreateResponse().setId(id).setProperties(toStruct(properties));
    }, inputsIn),
    update: unary(async (request: UpdateRequest) => {
      const news = fromStruct(request.getNews());
      const old = { id: request.getId(), properties: fromStruct(request.getOlds()) };
      const mode = { preview: request.getPreview(), timeoutSeconds: request.getTimeout() };
      const outputs = await deployments(request).update(subjectOf(request), old, news, mode);
      return new messages.UpdateResponse().setProperties(toStruct(outputs));
    }, inputsIn),
    read: unary(async (request: ReadRequest) => {
      const known = { id: request.getId(), properties: fromStruct(request.getProperties()) };
      const inputs = fromStruct(request.getInputs());
      const found = await deployments(request).read(subjectOf(request), known, inputs);
      const response = new messages.ReadResponse();
      // Without an id: it is gone.
      if (!found) return response;
      return response.setId(found.id).setProperties(toStruct(found.properties)).setInputs(toStruct(found.inputs));
    }),
    delete: unary(async (request: DeleteRequest) => {
      const resource = { id: request.getId(), properties: fromStruct(request.getProperties()) };
      await deployments(request).delete(subjectOf(request), resource, request.getTimeout());
      return new emptyMessages.Empty();
    }),
    cancel: unary(async () => {
      // Every operation says how far it came.
      running.cancel();
      return new emptyMessages.Empty();
    }),
  });
}

interface Named {
  getType(): string;
  getUrn(): string;
  getName(): string;
}

function subjectOf(request: Named): Subject {
  const urn = request.getUrn();
  // Engines before 3.134 send no name: it is the last part of the URN.
  return { urn, name: request.getName() || (urn.split("::").at(-1) ?? "") };
}

function inputsIn(request: CreateRequest | UpdateRequest): Properties {
  return fromStruct("getNews" in request ? request.getNews() : request.getProperties());
}

/** `inputsOf`: those with the marks of secrets that a partial failure must have as well. */
function unary<Request, Response>(
  call: (request: Request) => Promise<Response>,
  inputsOf: (request: Request) => Properties = () => ({}),
): handleUnaryCall<Request, Response> {
  return ({ request }, answer) => {
    call(request).then(
      (response) => {
        answer(null, response);
      },
      (error: unknown) => {
        answer(answerOf(error, () => inputsOf(request)));
      },
    );
  };
}

/** `inputs` are read for a partial failure alone: others are answered whatever their request holds. */
function answerOf(thrown: unknown, inputs: () => Properties): Partial<ServerErrorResponse> {
  const details = thrown instanceof Error ? thrown.message : String(thrown);
  if (!(thrown instanceof HostError) || !thrown.properties) return { code: status.UNKNOWN, details };
  // A deployment exists although the operation failed: the engine keeps it.
  const failed = new messages.ErrorResourceInitFailed()
    .setId(thrown.id ?? "")
    .setProperties(toStruct(marked(thrown.properties, inputs())))
    .setReasonsList([details]);
  const any = new anyMessages.Any();
  any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const detail = new statusMessages.Status().setCode(status.UNKNOWN).setMessage(details);
  detail.addDetails(any);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(detail.serializeBinary()));
  return { code: status.UNKNOWN, details, metadata };
}
