import { runStep } from "../step/run-step.ts";
import { uploadExperimentStep } from "./step.ts";

process.exitCode = await runStep(process, process.env, uploadExperimentStep);
