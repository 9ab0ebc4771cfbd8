import type { WarningEvent } from "./reporters.ts";

/** What follows from each type of event; one that is not in the table has nothing to follow. */
export type EventTable<Event extends { readonly type: string }, Context, Result> = {
  readonly [Type in Event["type"]]?: Entry<Extract<Event, { readonly type: Type }>, Context, Result>["of"];
};

export function follow<Event extends { readonly type: string }, Context, Result>(
  table: EventTable<Event, Context, Result>,
  event: Event,
  context: Context,
): Result | undefined {
  const type: Event["type"] = event.type;
  const entry: Entry<Event, Context, Result>["of"] | undefined = table[type];
  return entry?.(event, context);
}

/** The facts that each event changes, by its type; the log alone shows the others. */
export function learning<Event extends { readonly type: string }, Facts>(
  table: EventTable<Event | WarningEvent, Facts, Partial<Facts> | undefined>,
): (event: Event | WarningEvent, facts: Facts) => Partial<Facts> | undefined {
  return (event, facts) => follow(table, event, facts);
}

/** What every step learns. */
export const COMMON_FACTS = {
  warning: ({ message }: WarningEvent, { warnings }: { readonly warnings: readonly string[] }) => ({
    warnings: [...warnings, message],
  }),
  ended: <Ended>(ended: Ended) => ({ ended }),
};

// A method: its entry is found by the type of the event, so it may ask for events of this type only.
interface Entry<Event, Context, Result> {
  of(event: Event, context: Context): Result;
}
