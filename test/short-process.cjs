// Loaded before each of the hundreds of Node processes that the tests start. What Node brings is compiled, and V8 takes that
// only under the flags it was compiled with: so what such a process uses of it comes before them.
const { flushCompileCache } = require("node:module");
const { setTimeout } = require("node:timers");
const { setFlagsFromString } = require("node:v8");

const USED =
  "assert async_hooks child_process cluster console crypto dgram diagnostics_channel dns/promises fs/promises http2 https module " +
  "perf_hooks readline stream/promises stream/web string_decoder timers/promises tty url vm worker_threads zlib";
for (const name of USED.split(" ")) require(`node:${name}`);

// What is compiled is kept for later processes (NODE_COMPILE_CACHE), but only what is compiled at once: without this they
// would compile each function that they call again.
setFlagsFromString("--no-lazy");
// The parser of undici is WebAssembly: V8 optimizes it once it is in use, which costs a short process more of a processor than
// it ever saves.
for (const flag of ["--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"]) setFlagsFromString(flag);
// What is killed keeps nothing at its end.
setTimeout(flushCompileCache, 300).unref();
