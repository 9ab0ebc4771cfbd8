import { keepHeapSmall } from "../action/small-heap.ts";

/**
 * One case of the judgement's bench, in a process of its own; the clock starts when the code is loaded. Arguments: what to
 * do, the file of this run, and that of the baseline or the snapshot to write.
 */
// Before the code is loaded, as the step does.
keepHeapSmall();
const { runCase } = await import("./judge-speed-cases.ts");
await runCase();
