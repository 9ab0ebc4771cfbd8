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
import { HostError } from "../host-error.ts";
import { marked, type DetailedDifference, type Subject } from "./deployments.ts";
import type { Plugin } from "./plugin.ts";
import { fromStruct, toStruct } from "./values.ts";

/** Adds the provider to a server, as the engine calls it. What is thrown reaches the user as one sentence. */
export function addProviderService(server: Server, plugin: Plugin): void {
  const { Kind } = messages.PropertyDiff;
  const { DiffChanges } = messages.DiffResponse;
  const KINDS = {
    add: [Kind.ADD, Kind.ADD_REPLACE],
    delete: [Kind.DELETE, Kind.DELETE_REPLACE],
    update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  } as const;

  const checked = (inputs: Properties, failures: readonly CheckFailure[]) => {
    const response = new messages.CheckResponse().setInputs(toStruct(inputs));
    for (const { property, reason } of failures) {
      response.addFailures(new messages.CheckFailure().setProperty(property).setReason(reason));
    }
    return response;
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
    getSchema: unary(async () => new messages.GetSchemaResponse().setSchema(plugin.schema)),
    checkConfig: unary(async (request: CheckRequest) => {
      const { inputs, failures } = await plugin.checkConfig(fromStruct(request.getNews()), request.getUrn());
      return checked(inputs, failures);
    }),
    // Without a difference the engine continues with the settings of the last update.
    diffConfig: unary(async (request: DiffRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const changed = plugin.diffConfig(olds, news);
      return new messages.DiffResponse()
        .setChanges(changed.length > 0 ? DiffChanges.DIFF_SOME : DiffChanges.DIFF_NONE)
        .setDiffsList([...changed]);
    }),
    configure: unary(async (request: InstanceType<typeof messages.ConfigureRequest>) => {
      plugin.configure(fromStruct(request.getArgs()));
      return new messages.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
    }),
    invoke: unary(async (request: InvokeRequest) => {
      const { result, failures } = await plugin.invoke(request.getTok(), fromStruct(request.getArgs()));
      const response = new messages.InvokeResponse().setReturn(toStruct(result));
      for (const { property, reason } of failures) {
        response.addFailures(new messages.CheckFailure().setProperty(property).setReason(reason));
      }
      return response;
    }),
    check: unary(async (request: CheckRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      const { inputs, failures } = await plugin.deployments(request).check(subjectOf(request), olds, news);
      return checked(inputs, failures);
    }),
    diff: unary(async (request: DiffRequest) => {
      const [olds, news] = [fromStruct(request.getOlds()), fromStruct(request.getNews())];
      return diffed(await plugin.deployments(request).diff(subjectOf(request), request.getId(), olds, news));
    }),
    create: unary(async (request: CreateRequest) => {
      const news = fromStruct(request.getProperties());
      const mode = { preview: request.getPreview(), timeoutSeconds: request.getTimeout() };
      const { id, properties } = await plugin.deployments(request).create(subjectOf(request), news, mode);
      return new messages.CreateResponse().setId(id).setProperties(toStruct(properties));
    }, inputsIn),
    update: unary(async (request: UpdateRequest) => {
      const news = fromStruct(request.getNews());
      const old = { id: request.getId(), properties: fromStruct(request.getOlds()) };
      const mode = { preview: request.getPreview(), timeoutSeconds: request.getTimeout() };
      const outputs = await plugin.deployments(request).update(subjectOf(request), old, news, mode);
      return new messages.UpdateResponse().setProperties(toStruct(outputs));
    }, inputsIn),
    read: unary(async (request: ReadRequest) => {
      const known = { id: request.getId(), properties: fromStruct(request.getProperties()) };
      const inputs = fromStruct(request.getInputs());
      const found = await plugin.deployments(request).read(subjectOf(request), known, inputs);
      const response = new messages.ReadResponse();
      // Without an id: it is gone.
      if (!found) return response;
      return response.setId(found.id).setProperties(toStruct(found.properties)).setInputs(toStruct(found.inputs));
    }),
    delete: unary(async (request: DeleteRequest) => {
      const resource = { id: request.getId(), properties: fromStruct(request.getProperties()) };
      await plugin.deployments(request).delete(subjectOf(request), resource, request.getTimeout());
      return new emptyMessages.Empty();
    }),
    cancel: unary(async () => {
      plugin.cancel();
      return new emptyMessages.Empty();
    }),
  });
}

interface Named {
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
        answer(answerOf(error, inputsOf(request)));
      },
    );
  };
}

function answerOf(thrown: unknown, inputs: Properties): Partial<ServerErrorResponse> {
  const details = thrown instanceof Error ? thrown.message : String(thrown);
  if (!(thrown instanceof HostError) || !thrown.properties) return { code: status.UNKNOWN, details };
  // A deployment exists although the operation failed: the engine keeps it.
  const failed = new messages.ErrorResourceInitFailed()
    .setId(thrown.id ?? "")
    .setProperties(toStruct(marked(thrown.properties, inputs)))
    .setReasonsList([details]);
  const any = new anyMessages.Any();
  any.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const detail = new statusMessages.Status().setCode(status.UNKNOWN).setMessage(details);
  detail.addDetails(any);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(detail.serializeBinary()));
  return { code: status.UNKNOWN, details, metadata };
}
