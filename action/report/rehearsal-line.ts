import type { Printer } from "./printer.ts";

/** Says that nothing is for real. */
export function printRehearsal(print: Printer): void {
  print.line("Rehearsal", "on an embedded service, which ends with this step; nothing leaves this machine");
}
