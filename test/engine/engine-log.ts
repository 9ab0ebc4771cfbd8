import type { handleUnaryCall, Server } from "@grpc/grpc-js";
import engineGrpc from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import enginePb from "@pulumi/pulumi/proto/engine_pb.js";
import type {
  GetRootResourceRequest,
  GetRootResourceResponse,
  LogRequest,
  SetRootResourceRequest,
  SetRootResourceResponse,
} from "@pulumi/pulumi/proto/engine_pb.js";
import emptyPb from "google-protobuf/google/protobuf/empty_pb.js";
import type { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { diagnostic } from "./diagnostic.ts";
import type { Diagnostic } from "./stack.ts";

const SEVERITIES = ["debug", "info", "warning", "error"] as const;

/** Answers as the engine does to its log and to the question which resource is the stack. */
export function addEngineService(server: Server, onLog: (line: Diagnostic) => void): void {
  let root = "";
  const log: handleUnaryCall<LogRequest, Empty> = ({ request }, answer) => {
    const severity = SEVERITIES[request.getSeverity()];
    const of = { urn: request.getUrn(), ephemeral: request.getEphemeral() };
    // Without --debug nobody sees these; and they hold secrets in plain.
    if (severity !== "debug") onLog(diagnostic(severity, request.getMessage(), of));
    answer(null, new emptyPb.Empty());
  };
  const setRootResource: handleUnaryCall<SetRootResourceRequest, SetRootResourceResponse> = ({ request }, answer) => {
    root = request.getUrn();
    answer(null, new enginePb.SetRootResourceResponse());
  };
  const getRootResource: handleUnaryCall<GetRootResourceRequest, GetRootResourceResponse> = (_call, answer) => {
    answer(null, new enginePb.GetRootResourceResponse().setUrn(root));
  };
  server.addService(engineGrpc.EngineService, { log, setRootResource, getRootResource });
}
