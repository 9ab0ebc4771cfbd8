// Loaded before the program: in this process time runs TIME_LAPSE times as fast. Timers are shorter, and the clock that
// only grows shows more; dates stay. While a busy machine keeps the process waiting, its time stands still: no timeout
// passes before what it waits for could be read.
import { syncBuiltinESMExports } from "node:module";
import { performance } from "node:perf_hooks";
import timers from "node:timers";
import promises from "node:timers/promises";

const factor = Number(process.env.TIME_LAPSE);
const { setTimeout: later, setInterval: again } = timers;
const { setTimeout: sleep, setInterval: every } = promises;
const now = performance.now.bind(performance);

// Real milliseconds: how often the clock is read, and how much of the time between two readings counts.
const TICK = 5;
const MOST = 8;
let counted = 0;
let read = now();

function clock() {
  const real = now();
  counted += Math.min(real - read, MOST);
  read = real;
  return counted * factor;
}
again(clock, TICK).unref();
Object.defineProperty(performance, "now", { value: clock });

timers.setTimeout = (callback, milliseconds = 0, ...values) => {
  let start = clock();
  const timer = later(
    () => {
      if (clock() - start < milliseconds) restart();
      else callback(...values);
    },
    Math.min(milliseconds / factor, TICK),
  );
  const restart = timer.refresh.bind(timer);
  timer.refresh = () => {
    start = clock();
    return restart();
  };
  return timer;
};
timers.setInterval = (callback, milliseconds, ...values) => again(callback, milliseconds / factor, ...values);
promises.setTimeout = async (milliseconds = 0, value, options) => {
  const start = clock();
  do await sleep(Math.min(milliseconds / factor, TICK), undefined, options);
  while (clock() - start < milliseconds);
  return value;
};
promises.setInterval = (milliseconds, ...more) => every(milliseconds / factor, ...more);
Object.assign(globalThis, { setTimeout: timers.setTimeout, setInterval: timers.setInterval });
syncBuiltinESMExports();
