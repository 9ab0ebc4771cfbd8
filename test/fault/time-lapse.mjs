// Loaded before the program: in this process time runs TIME_LAPSE times as fast. Timers are shorter, and the clock that
// only grows shows more; dates stay.
import { syncBuiltinESMExports } from "node:module";
import { performance } from "node:perf_hooks";
import timers from "node:timers";
import promises from "node:timers/promises";

const factor = Number(process.env.TIME_LAPSE);
const { setTimeout: later, setInterval: again } = timers;
const { setTimeout: sleep, setInterval: every } = promises;

timers.setTimeout = (callback, milliseconds, ...values) => later(callback, milliseconds / factor, ...values);
timers.setInterval = (callback, milliseconds, ...values) => again(callback, milliseconds / factor, ...values);
promises.setTimeout = (milliseconds, ...more) => sleep(milliseconds / factor, ...more);
promises.setInterval = (milliseconds, ...more) => every(milliseconds / factor, ...more);
Object.assign(globalThis, { setTimeout: timers.setTimeout, setInterval: timers.setInterval });
syncBuiltinESMExports();

const now = performance.now.bind(performance);
Object.defineProperty(performance, "now", { value: () => now() * factor });
