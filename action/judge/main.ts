import { runStep } from "../step/run-step.ts";
import { judgeStep } from "./step.ts";

process.exitCode = await runStep(process, process.env, judgeStep);
