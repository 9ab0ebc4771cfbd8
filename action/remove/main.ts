import { runStep } from "../../front/steps/run-step.ts";
import { removeStep } from "./step.ts";

process.exitCode = await runStep(process, process.env, removeStep);
