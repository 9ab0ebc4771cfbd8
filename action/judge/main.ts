import { runStep } from "../step/run-step.ts";
import { keepHeapSmall } from "../step/small-heap.ts";
import { judgeStep } from "./step.ts";

keepHeapSmall();
process.exitCode = await runStep(process, process.env, judgeStep);
