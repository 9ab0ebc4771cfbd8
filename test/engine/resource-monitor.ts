import { status } from "@grpc/grpc-js";
import type { handleUnaryCall, sendUnaryData, Server } from "@grpc/grpc-js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import resourceGrpc from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import resourcePb from "@pulumi/pulumi/proto/resource_pb.js";
import type {
  ReadResourceRequest,
  ReadResourceResponse,
  RegisterResourceOutputsRequest,
  RegisterResourceRequest,
  RegisterResourceResponse,
  ResourceInvokeRequest,
  ResourceInvokeResponse,
  SupportsFeatureRequest,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { goalOf, readOf } from "./goal.ts";
import type { StackName } from "./goal.ts";
import { fromStruct, plain, toStruct } from "./property-values.ts";
import type { Registrar } from "./registrar.ts";
import { STACK_TYPE, urnOf } from "./resource-state.ts";
import type { ResourceState } from "./resource-state.ts";
import { messageOf } from "./run.ts";
import type { Run } from "./run.ts";

const FEATURES: ReadonlySet<string> = new Set(["secrets", "resourceReferences", "aliasSpecs", "deletedWith"]);

/** Answers the program, as far as this engine can: hooks, transforms and aliases are left out. */
export class ResourceMonitor {
  /** The stack's outputs, in plain. */
  outputs: Readonly<Record<string, unknown>> = {};
  readonly #run: Run;
  readonly #registrar: Registrar;
  readonly #names: StackName;

  constructor(run: Run, registrar: Registrar, names: StackName) {
    this.#run = run;
    this.#registrar = registrar;
    this.#names = names;
  }

  /** Adds the service to a server. */
  addTo(server: Server): void {
    const supportsFeature: handleUnaryCall<SupportsFeatureRequest, SupportsFeatureResponse> = (call, answer) => {
      const has = FEATURES.has(call.request.getId());
      answer(null, new resourcePb.SupportsFeatureResponse().setHassupport(has));
    };
    const registerResource: handleUnaryCall<RegisterResourceRequest, RegisterResourceResponse> = (call, answer) => {
      void this.#settle(answer, () => this.#register(call.request));
    };
    const readResource: handleUnaryCall<ReadResourceRequest, ReadResourceResponse> = (call, answer) => {
      void this.#settle(answer, () => this.#read(call.request));
    };
    const invoke: handleUnaryCall<ResourceInvokeRequest, ResourceInvokeResponse> = (call, answer) => {
      void this.#settle(answer, () => this.#invoke(call.request));
    };
    const registerResourceOutputs: handleUnaryCall<RegisterResourceOutputsRequest, Empty> = (call, answer) => {
      this.#takeOutputs(call.request);
      answer(null, new emptyPb.Empty());
    };
    const signalAndWaitForShutdown: handleUnaryCall<Empty, Empty> = (_call, answer) => {
      answer(null, new emptyPb.Empty());
    };
    server.addService(resourceGrpc.ResourceMonitorService, {
      supportsFeature,
      registerResource,
      readResource,
      invoke,
      registerResourceOutputs,
      signalAndWaitForShutdown,
    });
  }

  get #rootUrn(): string {
    const { stack, project } = this.#names;
    return urnOf(stack, project, STACK_TYPE, `${project}-${stack}`, "");
  }

  async #settle<T>(answer: sendUnaryData<T>, act: () => Promise<T>): Promise<void> {
    try {
      answer(null, await act());
    } catch {
      // A failed run ends as the engine's does: whoever still waits hears that the monitor is gone, and nothing else.
      await this.#run.idle();
      answer({ code: status.UNAVAILABLE, details: "The run has ended." });
    }
  }

  async #register(request: RegisterResourceRequest): Promise<RegisterResourceResponse> {
    const response = new resourcePb.RegisterResourceResponse();
    if (request.getType() === STACK_TYPE) return response.setUrn(this.#rootUrn).setObject(toStruct({}));
    const goal = goalOf(request, this.#names);
    const resource = await this.#registrar.register(goal);
    if (resource === undefined) {
      return response.setUrn(goal.resource.urn).setObject(toStruct({})).setResult(resourcePb.Result.FAIL);
    }
    return response
      .setUrn(resource.urn)
      .setId(resource.id)
      .setObject(toStruct(visible(resource)));
  }

  async #read(request: ReadResourceRequest): Promise<ReadResourceResponse> {
    const response = new resourcePb.ReadResourceResponse();
    const wanted = readOf(request, this.#names);
    const resource = await this.#registrar.read(wanted);
    if (resource === undefined) {
      return response.setUrn(wanted.urn).setProperties(toStruct({})).setResult(resourcePb.Result.FAIL);
    }
    return response.setUrn(resource.urn).setProperties(toStruct(resource.outputs));
  }

  async #invoke(request: ResourceInvokeRequest): Promise<ResourceInvokeResponse> {
    const token = request.getTok();
    try {
      const { result, failures } = await (await this.#run.calls(token)).invoke(token, fromStruct(request.getArgs()));
      const response = new resourcePb.ResourceInvokeResponse().setReturn(toStruct(result));
      for (const { property, reason } of failures) {
        response.addFailures(new providerPb.CheckFailure().setProperty(property).setReason(reason));
      }
      return response;
    } catch (error) {
      this.#run.setup.report.error(messageOf(error));
      throw error;
    }
  }

  #takeOutputs(request: RegisterResourceOutputsRequest): void {
    const outputs = fromStruct(request.getOutputs());
    if (request.getUrn() === this.#rootUrn) {
      this.outputs = plain(outputs);
      return;
    }
    const component = this.#run.setup.state.live(request.getUrn());
    if (component !== undefined) this.#run.put({ ...component, outputs }, component);
  }
}

function visible(resource: ResourceState) {
  // A component's outputs are set by the program itself, later.
  return resource.custom ? resource.outputs : {};
}
