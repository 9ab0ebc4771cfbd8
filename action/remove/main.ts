import { runnerHost } from "../host.ts";
import { runStep } from "../../front/steps/run-step.ts";
import { removeStep } from "./step.ts";

process.exitCode = await runStep(process, runnerHost(process), removeStep);
