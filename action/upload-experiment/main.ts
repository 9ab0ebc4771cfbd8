import { runStep } from "../step/run-step.ts";
import { keepHeapSmall } from "../step/small-heap.ts";
import { uploadExperimentStep } from "./step.ts";

keepHeapSmall();
process.exitCode = await runStep(process, process.env, uploadExperimentStep);
