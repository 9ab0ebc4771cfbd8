import { runStep } from "../step/run-step.ts";
import { uploadTracesStep } from "./step.ts";

process.exitCode = await runStep(process, process.env, uploadTracesStep);
