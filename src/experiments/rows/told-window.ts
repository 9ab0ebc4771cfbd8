import { readTime } from "../../files/source-time.ts";
import { kindOf } from "../../files/json/kind.ts";
import type { ToldTimes } from "./source-row.ts";

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
export function toldWindow(times: readonly (ToldTimes | undefined)[], deps: ToldWindowDeps): ToldWindow {
  const read = (which: "end" | "start") =>
    times.map((told, index) => {
      const value = told?.[which];
      if (value === undefined || value === null || value === "") return undefined;
      const time = readTime(value);
      const field = told?.fields?.[which];
      const name = field === undefined ? `the ${which} of the experiment` : `\`${field}\``;
      if (time === undefined) deps.fault(index, `${name} is ${kindOf(value)}, and no time`);
      else if (!time.zoned) deps.naiveTime();
      return time?.microseconds;
    });
  return {
    start: inAll(read("start"))?.reduce((least, time) => (time < least ? time : least)),
    end: inAll(read("end"))?.reduce((most, time) => (time > most ? time : most)),
  };
}

function inAll(values: readonly (bigint | undefined)[]): readonly bigint[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length && known.length > 0 ? known : undefined;
}
