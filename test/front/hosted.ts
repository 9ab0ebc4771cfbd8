import { EOL } from "node:os";
import { runnerHost } from "../../action/host.ts";
import type { Environment } from "../../front/environment.ts";
import type { Host } from "../../front/host.ts";
import type { ReportSettings } from "../../front/account/step-report.ts";
import type { RunFacts } from "../../front/account/part.ts";
import { readStep, type Step } from "../../front/steps/run-step.ts";

/** The runner that these variables describe; each line of the log goes to `print`. */
export function hostOf(env: Environment, print: (line: string) => unknown = () => undefined): Host {
  return runnerHost({ env, stdout: { write: (text) => print(text.slice(0, -EOL.length)) } });
}

/** The options of a step in this environment, and how it reports. Throws InputsError as the step does. */
export async function optionsOf<
  Name extends string,
  Options,
  Event extends { readonly type: string },
  Facts extends RunFacts,
>(step: Step<Name, Options, Event, Facts>, env: Environment): Promise<Options & ReportSettings> {
  const { options, settings } = await readStep(step, hostOf(env));
  return { ...options, ...settings };
}
