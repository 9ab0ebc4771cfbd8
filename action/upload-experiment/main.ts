import { runStep } from "../../front/steps/run-step.ts";
import { keepHeapSmall } from "../small-heap.ts";
import { uploadExperimentStep } from "../../front/steps/upload-experiment/step.ts";

keepHeapSmall();
process.exitCode = await runStep(process, process.env, uploadExperimentStep);
