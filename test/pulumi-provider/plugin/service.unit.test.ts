import { Server } from "@grpc/grpc-js";
import messages from "@pulumi/pulumi/proto/provider_pb.js";
import structMessages from "google-protobuf/google/protobuf/struct_pb.js";
import { expect, test, vi } from "vitest";
import { addProviderService } from "../../../pulumi-provider/plugin/service.ts";
import { ProviderRun } from "../provider-run.ts";

test("a request whose properties cannot be read is answered, as the engine would wait without an end", async () => {
  const { host, running } = new ProviderRun({});
  const server = new Server();
  const added = vi.spyOn(server, "addService");
  addProviderService(server, host, running, "");
  const { create, update } = added.mock.calls[0]?.[1] ?? {};
  // A value of no kind, which no engine writes.
  const odd = new structMessages.Struct();
  odd.getFieldsMap().set("name", new structMessages.Value());
  for (const [call, request] of [
    [create, new messages.CreateRequest().setProperties(odd)],
    [update, new messages.UpdateRequest().setNews(odd)],
  ] as const) {
    const answer = vi.fn();
    Reflect.apply(call as (...given: readonly unknown[]) => void, undefined, [{ request }, answer]);
    await vi.waitFor(() => {
      expect(answer).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ details: "Unexpected struct type" }));
    });
  }
});
