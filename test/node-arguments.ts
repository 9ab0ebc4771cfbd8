/**
 * What the tests give to each of the hundreds of Node processes that they start. The parser of undici is WebAssembly: V8
 * optimizes it once it is in use, which costs a short process more of a processor than it ever saves, an eighth of a step.
 */
export const NODE_ARGUMENTS: readonly string[] = ["--liftoff-only"];
