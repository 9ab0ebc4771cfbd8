import { runnerHost } from "../host.ts";
import { runStep } from "../../front/steps/run-step.ts";
import { keepHeapEven } from "../small-heap.ts";
import { evaluateStep } from "./step.ts";

keepHeapEven();
process.exitCode = await runStep(process, runnerHost(process), evaluateStep);
