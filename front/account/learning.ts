import { follow, type EventTable } from "./event-table.ts";
import type { WarningEvent } from "./reporters.ts";

/** What every step learns. */
export const COMMON_FACTS = {
  warning: ({ message }: WarningEvent, { warnings }: { readonly warnings: readonly string[] }) => ({
    warnings: [...warnings, message],
  }),
  ended: <Ended>(ended: Ended) => ({ ended }),
};

/** The facts that each event changes, by its type; the log alone shows the others. */
export function learning<Event extends { readonly type: string }, Facts>(
  table: EventTable<Event | WarningEvent, Facts, Partial<Facts> | undefined>,
): (event: Event | WarningEvent, facts: Facts) => Partial<Facts> | undefined {
  return (event, facts) => follow(table, event, facts);
}
