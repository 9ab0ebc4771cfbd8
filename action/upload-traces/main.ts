import { runStep } from "../../front/steps/run-step.ts";
import { uploadTracesStep } from "../../front/steps/upload-traces/step.ts";

process.exitCode = await runStep(process, process.env, uploadTracesStep);
