// Loaded before the program: half a second after its start the wall clock jumps by CLOCK_JUMP milliseconds, as it does
// when a machine is set right. The clock that only grows continues.
import { performance } from "node:perf_hooks";

const { Date: RealDate } = globalThis;
const start = performance.now();
const jump = () => (performance.now() - start < 500 ? 0 : Number(process.env.CLOCK_JUMP));

globalThis.Date = class Date extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + jump());
    else super(...values);
  }
  static now() {
    return RealDate.now() + jump();
  }
};
