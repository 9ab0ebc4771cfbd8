import { setFlagsFromString } from "node:v8";
import { runStep } from "../step/run-step.ts";
import { judgeStep } from "./step.ts";

// Rows are garbage as soon as they are read: a young generation that grows with it would take 100 MB more.
setFlagsFromString("--semi-space-growth-factor=1");
process.exitCode = await runStep(process, process.env, judgeStep);
