import { readTime } from "../files/source-time.ts";
import type { SourceTimes } from "./source-row.ts";
import type { JsonValue } from "../files/json/value.ts";

/** When the files say that the experiment ran, microseconds since the epoch; undefined where they do not. */
export interface ToldWindow {
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
}

/** What was found on the way. */
export interface ToldWindowDeps {
  /** What stands at this place among `times` is no time. */
  readonly fault: (index: number, message: string) => void;
  /** A time without a zone was read. */
  readonly naiveTime: () => void;
}

/**
 * From the first start to the last end, of what each file says about its own run. An end of the window that only some
 * files tell is left open: the rows of the others may lie beyond it.
 */
export function toldWindow(times: readonly (SourceTimes | undefined)[], deps: ToldWindowDeps): ToldWindow {
  const read = (value: JsonValue | undefined, index: number, name: string) => {
    if (value === undefined || value === null || value === "") return undefined;
    const time = readTime(value);
    if (time === undefined) deps.fault(index, `${name} is no time`);
    else if (!time.zoned) deps.naiveTime();
    return time?.microseconds;
  };
  const starts = times.map((told, index) => read(told?.start, index, "the start of the experiment"));
  const ends = times.map((told, index) => read(told?.end, index, "the end of the experiment"));
  return {
    start: inAll(starts)?.reduce((least, time) => (time < least ? time : least)),
    end: inAll(ends)?.reduce((most, time) => (time > most ? time : most)),
  };
}

function inAll(values: readonly (bigint | undefined)[]): readonly bigint[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length && known.length > 0 ? known : undefined;
}
