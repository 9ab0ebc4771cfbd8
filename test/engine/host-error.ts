import type { ServiceError } from "@grpc/grpc-js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import statusPb from "@pulumi/pulumi/proto/status_pb.js";
import { fromStruct } from "./property-values.ts";

/** What a provider did before it failed: the object is there under `id`, but not in order. */
export interface PartialFailure {
  readonly id: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly reasons: readonly string[];
}

/** An error that a method of the provider answered with. */
export class HostError extends Error {
  /** The gRPC status code; 14 when the host is gone. */
  readonly status: number;
  /** Set when the provider threw an error with an `id`. */
  readonly partial: PartialFailure | undefined;

  constructor(error: ServiceError) {
    super(error.details, { cause: error });
    this.name = "HostError";
    this.status = error.code;
    this.partial = partialFailure(error);
  }
}

function partialFailure(error: ServiceError): PartialFailure | undefined {
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(details)) return undefined;
  for (const any of statusPb.Status.deserializeBinary(details).getDetailsList()) {
    if (any.getTypeName() !== "pulumirpc.ErrorResourceInitFailed") continue;
    const failed = providerPb.ErrorResourceInitFailed.deserializeBinary(any.getValue_asU8());
    return { id: failed.getId(), properties: fromStruct(failed.getProperties()), reasons: failed.getReasonsList() };
  }
  return undefined;
}
