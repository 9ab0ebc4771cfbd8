import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Keeps the heap of this process small; done when this module is loaded, and so to be loaded first. V8 makes room for
 * young objects, doubles it up to 100 MB while there are many of them, and never gives it back: with a hundred
 * deployments at once that is twice of what they hold. Starting Pulumi has filled 30 MB of it already, which one
 * collection gives back, in some 30 ms: `npm run bench -- pulumi --part up`.
 */
setFlagsFromString("--semi-space-growth-factor=1");
setFlagsFromString("--expose-gc");
const collect: unknown = runInNewContext("globalThis.gc");
// Do not fail when a version of Node does not know a flag.
if (typeof collect === "function") {
  Reflect.apply(collect, undefined, [{ type: "major", execution: "sync", flavor: "last-resort" }]);
}
