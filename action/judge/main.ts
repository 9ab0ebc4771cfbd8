import { setFlagsFromString } from "node:v8";
import { runStep } from "../step/run-step.ts";
import { judgeStep } from "./step.ts";

// Rows are garbage as soon as they are read. A heap that grows with them, and is tidied late, takes 200 MB more.
setFlagsFromString("--semi-space-growth-factor=1");
setFlagsFromString("--optimize-for-size");
// While the engine marks what is alive it would let new objects gather to 20 MB.
setFlagsFromString("--no-separate-gc-phases");
process.exitCode = await runStep(process, process.env, judgeStep);
