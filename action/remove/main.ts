import { runStep } from "../step/run-step.ts";
import { removeStep } from "./step.ts";

process.exitCode = await runStep(process, process.env, removeStep);
