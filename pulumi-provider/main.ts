/** What `graph-deploy/pulumi/provider` is: the providers of the process that Pulumi starts for dynamic resources. */
// First, before the others fill the heap.
import "./young-generation.ts";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import process from "node:process";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc.js";
import { systemClock } from "../src/http/clock.ts";
import { DeploymentProvider } from "./deployment-provider.ts";
import { onEngineCancel, Running } from "./running.ts";
import { engineAt, EngineLog, type Credentials } from "./engine-log.ts";
import { Host } from "./host.ts";
import { ReadinessProvider } from "./readiness-provider.ts";

function insecure(): Credentials {
  // The gRPC library is the SDK's, and need not be found from here.
  const fromSdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- What a require returns has no type.
  const { credentials } = fromSdk("@grpc/grpc-js") as { credentials: { createInsecure: () => Credentials } };
  return credentials.createInsecure();
}

const running = new Running();
onEngineCancel(() => {
  running.cancel();
});
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void running.end().finally(() => process.exit());
  });
}

const host = new Host({
  env: (name) => (Object.hasOwn(process.env, name) ? process.env[name] : undefined),
  clock: systemClock,
  // The last argument of the host is the address of the engine.
  log: new EngineLog(engineAt(process.argv.at(-1), insecure)),
  running,
  programDirectory: process.cwd(),
  temporaryDirectory: tmpdir(),
  isUnknown: (value) => value === unknownValue,
});

/** Deployments. */
export const deployment = new DeploymentProvider(host);

/** Whether the agents of deployments answer. */
export const readiness = new ReadinessProvider(host);
