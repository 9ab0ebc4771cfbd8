/** What `graph-deploy/pulumi/provider` is: the providers of the process that Pulumi starts for dynamic resources. */
import { createRequire } from "node:module";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { unknownValue } from "@pulumi/pulumi/runtime/rpc.js";
import { DeploymentProvider } from "./deployment-provider.ts";
import { engineAt, EngineLog, type Credentials } from "./engine-log.ts";
import { EngineWatch } from "./engine-watch.ts";
import { hostIn, runningIn } from "./provider-process.ts";
import { ReadinessProvider } from "./readiness-provider.ts";
import { onEngineCancel } from "./running.ts";

// Keeps the heap of this process small. V8 makes room for young objects, doubles it up to 100 MB while there are many of
// them, and never gives it back: with a hundred deployments at once that is twice of what they hold. Starting Pulumi has
// filled 30 MB of it already, which one collection gives back, in some 30 ms: `npm run bench -- pulumi --part up`.
setFlagsFromString("--semi-space-growth-factor=1");
setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("globalThis.gc");
// Do not fail when a version of Node does not know a flag.
if (typeof collect === "function") {
  Reflect.apply(collect, undefined, [{ type: "major", execution: "sync", flavor: "last-resort" }]);
}

function insecure(): Credentials {
  // The gRPC library is the SDK's, and need not be found from here.
  const fromSdk = createRequire(createRequire(import.meta.url).resolve("@pulumi/pulumi"));
  // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- What a require returns has no type.
  const { credentials } = fromSdk("@grpc/grpc-js") as { credentials: { createInsecure: () => Credentials } };
  return credentials.createInsecure();
}

const WATCH_MILLISECONDS = 1_000;

const running = runningIn(process);
onEngineCancel(() => {
  running.cancel();
});

/** Ends this process, like the plugin's, once its engine has been killed. */
async function watchEngine(watch: EngineWatch): Promise<void> {
  while (!(await watch.isGone())) await pause(WATCH_MILLISECONDS, undefined, { ref: false });
  await running.end();
  process.exit();
}

// The last argument of the host is the address of the engine.
const engine = process.argv.at(-1);
if (engine !== undefined && /^[^-].*:\d+$/.test(engine)) void watchEngine(new EngineWatch(engine));

const log = new EngineLog(engineAt(engine, insecure));
const host = hostIn({ process, engine, log, running, isUnknown: (value) => value === unknownValue });

export const deployment = new DeploymentProvider(host);

/** Whether the agents of deployments answer. */
export const readiness = new ReadinessProvider(host);
