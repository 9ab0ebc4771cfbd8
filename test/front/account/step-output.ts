import { runnerScreen } from "../../../action/host.ts";
import type { Reporting } from "../../../front/account/step-report.ts";
import type { RunFacts } from "../../../front/account/part.ts";
import { StepLog, type LogOptions } from "../../../front/account/step-log.ts";

/** The facts that events leave behind. */
export function factsOf<Inputs, Event extends { readonly type: string }, Facts extends RunFacts>(
  { facts, learn }: Reporting<Inputs, Event, Facts>,
  events: readonly Event[],
): Facts {
  return events.reduce((known, event) => ({ ...known, ...learn(event, known) }), facts);
}

/** The lines of the log of these events. */
export function logOf<Inputs, Event extends { readonly type: string }, Facts extends RunFacts>(
  reporting: Reporting<Inputs, Event, Facts>,
  events: readonly Event[],
  options: Partial<LogOptions> = {},
): readonly string[] {
  const lines: string[] = [];
  let { facts } = reporting;
  const screen = runnerScreen((line) => lines.push(line), options.debug);
  const log = new StepLog(reporting, { ...options, screen }, () => facts);
  for (const event of events) {
    facts = { ...facts, ...reporting.learn(event, facts) };
    log.report(event);
  }
  return lines;
}

/** The names of the outputs, in their order. */
export function outputNames<Inputs, Event extends { readonly type: string }, Facts extends RunFacts>({
  outputs,
  facts,
}: Reporting<Inputs, Event, Facts>): readonly string[] {
  return Object.keys(outputs(facts).values);
}
