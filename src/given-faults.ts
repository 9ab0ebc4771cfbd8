import { type OptionFault, spelt } from "./contract/options.ts";

// A program gives what belongs to a run of the agent in one object.
const ARGUMENTS = new Map([
  ["smokeInput", "smokeRun"],
  ["smokeGraph", "smokeRun.graph"],
  ["smokeExpect", "smokeRun.expect"],
]);
const argumentOf = (name: string) => ARGUMENTS.get(name) ?? name;

/** Faults of options as a call reports them. */
export function argumentFaults(faults: readonly OptionFault[]): readonly string[] {
  return faults.map(({ field, key, message }) => {
    const name = key === undefined ? argumentOf(field) : `${field}.${key}`;
    return `\`${name}\` ${spelt(message, argumentOf)}`;
  });
}
