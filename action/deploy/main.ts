import { runStep } from "../step/run-step.ts";
import { deployStep } from "./step.ts";

process.exitCode = await runStep(process, process.env, deployStep);
