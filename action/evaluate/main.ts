import { runnerHost } from "../host.ts";
import { runStep } from "../../front/steps/run-step.ts";
import { keepHeapSmall } from "../small-heap.ts";
import { evaluateStep } from "./step.ts";

keepHeapSmall();
process.exitCode = await runStep(process, runnerHost(process), evaluateStep);
