/** The process `pulumi-resource-graph-deploy`: it prints the port on which the engine reaches the provider. */
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { credentials, Server, ServerCredentials } from "@grpc/grpc-js";
import { engineAt, EngineLog } from "../engine-log.ts";
import { hostIn, runningIn } from "../provider-process.ts";
import { UNKNOWN } from "./deployments.ts";
import schema from "./schema.json" with { type: "json" };
import { addProviderService } from "./service.ts";

// What the engine allows for one message: rpcutil in pulumi/pulumi.
const MESSAGE_LIMIT_BYTES = 400 * 1024 * 1024;

const WATCH_MILLISECONDS = 1_000;

const running = runningIn(process);
// An engine that is killed cannot end its plugins, and nothing receives their results any more.
const engine = process.ppid;
const isHeard = () => process.ppid === engine;
const watch = setInterval(() => {
  if (isHeard()) return;
  clearInterval(watch);
  void running.end().finally(() => process.exit());
}, WATCH_MILLISECONDS);
watch.unref();

// The address of the engine: flags with their values may stand before it, such as another address (`--tracing`), and there
// is none while only a schema is asked for.
const address = process.argv.slice(2).findLast((arg) => /^[^-].*:\d+$/.test(arg));
const log = new EngineLog(engineAt(address, () => credentials.createInsecure()));
const host = hostIn({ process, engine: address, log, running, isHeard, isUnknown: (value) => value === UNKNOWN });

const server = new Server({
  "grpc.max_receive_message_length": MESSAGE_LIMIT_BYTES,
  "grpc.max_send_message_length": MESSAGE_LIMIT_BYTES,
});
addProviderService(server, host, running, JSON.stringify(schema));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
  if (error === null) {
    tune();
    process.stdout.write(`${String(port)}\n`);
  } else {
    process.stderr.write(`graph-deploy cannot listen on 127.0.0.1: ${error.message}\n`);
    process.exit(1);
  }
});

/**
 * Suits V8 to a process that holds little and ends soon. Node brings its own code compiled, and V8 takes that only under the
 * flags it was compiled with: so this waits until all is loaded, and a thread, which would take twice as long to start, gets
 * them as they were.
 */
function tune(): void {
  // With a hundred deployments at once V8 doubles the room for young objects up to 100 MB, and never gives it back.
  setFlagsFromString("--semi-space-growth-factor=1");
  // A process that ends after a few checks never earns back what the last compiler of V8 costs: a seventh of a first check
  // (`npm run bench -- pulumi --part plugin`). Before V8 13 there may be no other one behind the interpreter.
  if (Number.parseInt(process.versions.v8, 10) >= 13) setFlagsFromString("--no-opt");
}

process.on("worker", (thread) => {
  setFlagsFromString("--semi-space-growth-factor=2");
  setFlagsFromString("--opt");
  // One that is ended before it runs is never online.
  thread.once("online", tune).once("exit", tune);
});
