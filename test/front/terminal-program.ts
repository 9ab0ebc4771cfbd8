import process from "node:process";
import { terminalHost } from "../../front/terminal.ts";
import { deployStep } from "../../front/steps/deploy/step.ts";
import { evaluateStep } from "../../front/steps/evaluate/step.ts";
import { judgeStep } from "../../front/steps/judge/step.ts";
import { runStep } from "../../front/steps/run-step.ts";
import { uploadExperimentStep } from "../../front/steps/upload-experiment/step.ts";
import { uploadTracesStep } from "../../front/steps/upload-traces/step.ts";

// A step at a terminal: `node terminal-program.ts deploy name=agent image-uri=…`.
const [step, ...given] = process.argv.slice(2);
const options = given.map((option) => {
  const [name = "", ...text] = option.split("=");
  return [name, text.join("=")] as const;
});
const host = terminalHost(process, Object.fromEntries(options));
const steps = {
  deploy: () => runStep(process, host, deployStep),
  evaluate: () => runStep(process, host, evaluateStep),
  judge: () => runStep(process, host, judgeStep),
  "upload-experiment": () => runStep(process, host, uploadExperimentStep),
  "upload-traces": () => runStep(process, host, uploadTracesStep),
};
const run = Object.entries(steps).find(([name]) => name === step)?.[1];
process.exitCode = await (run?.() ?? 2);
