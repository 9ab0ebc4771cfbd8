import { runnerScreen } from "../../../action/host.ts";
import { Ledger, type Reporting, type RunFacts } from "../../../front/account/step-report.ts";
import type { PrinterOptions } from "../../../front/account/printer.ts";

/** The facts that events leave behind. */
export function factsOf<Inputs, Event, Facts extends RunFacts, How>(
  { facts, learn }: Reporting<Inputs, Event, Facts, How>,
  events: readonly Event[],
): Facts {
  const ledger = new Ledger(facts, learn);
  for (const event of events) ledger.report(event);
  return ledger.facts;
}

/** The lines of the log of these events. */
export function logOf<Inputs, Event, Facts extends RunFacts, How>(
  { facts, learn, log: logWith }: Reporting<Inputs, Event, Facts, How>,
  events: readonly Event[],
  options: Partial<How & PrinterOptions> = {},
): readonly string[] {
  const lines: string[] = [];
  const ledger = new Ledger(facts, learn);
  const log = logWith(
    { ...options, screen: runnerScreen((line) => lines.push(line), options.debug) },
    () => ledger.facts,
  );
  for (const event of events) for (const reporter of [ledger, log]) reporter.report(event);
  return lines;
}
