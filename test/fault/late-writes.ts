import type { Fault } from "../github/faults.ts";
import type { Schedule } from "../wire/schedule.ts";

// GitHub has carried out writes 1 to 2.5 s after their connection had ended.
const LATE = { from: 1_000, most: 1_500 };

/** A write that is carried out after its connection has ended, and a request whose response comes as late. */
export function lateFaults(schedule: Schedule, random: () => number): { readonly late: Fault; readonly slow: Fault } {
  const pause = () => schedule.sleep(LATE.from + LATE.most * random());
  return {
    late: {
      later: (act) => {
        const work = async () => {
          await pause();
          act();
        };
        void schedule.all([work]);
      },
    },
    slow: { after: pause },
  };
}
