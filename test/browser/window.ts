import { inject, onTestFinished } from "vitest";
import * as z from "zod";
import { attachToPage, startPipe } from "./chromium-pipe.ts";

/** A window of a browser, in which pages are laid out and measured. */
export interface Window {
  /** Loads a page. */
  load(url: string): Promise<void>;
  /** What an expression comes to in the page; the browser evaluates it itself, whatever the page forbids. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses a key as a person does: `Tab`, `Enter`, ` `. */
  press(key: string): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  /** What the console showed: errors, warnings, and what a page's own policy forbade. */
  readonly complaints: readonly string[];
}

const Evaluated = z.object({ result: z.object({ value: z.unknown().optional() }) });
const Logged = z.object({ entry: z.object({ level: z.string(), text: z.string() }) });
const Thrown = z.object({ exceptionDetails: z.object({ text: z.string() }) });

/** Opens a window of some size, which ends with the test. */
export async function openWindow(width: number, height: number): Promise<Window> {
  const chromium = inject("chromium");
  if ("missing" in chromium) throw new Error(chromium.missing);
  const pipe = await startPipe(chromium.program);
  onTestFinished(() => pipe.close());
  const send = await attachToPage(pipe);
  const complaints: string[] = [];
  pipe.on("Log.entryAdded", (params) => {
    const { level, text } = Logged.parse(params).entry;
    if (level === "error" || level === "warning") complaints.push(text);
  });
  pipe.on("Runtime.exceptionThrown", (params) => complaints.push(Thrown.parse(params).exceptionDetails.text));
  await send("Page.enable");
  await send("Log.enable");
  await send("Runtime.enable");
  await send("Emulation.setFocusEmulationEnabled", { enabled: true });
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: true });
  return {
    complaints,
    load: async (url) => {
      const loaded = pipe.next("Page.loadEventFired");
      await send("Page.navigate", { url });
      await loaded;
    },
    evaluate: async (expression) =>
      Evaluated.parse(await send("Runtime.evaluate", { expression, returnByValue: true })).result.value,
    press: async (key) => {
      // Only a key with a text of its own makes a button act.
      const text = { Enter: "\r", " ": " " }[key];
      const windowsVirtualKeyCode = { Tab: 9, Enter: 13, " ": 32 }[key];
      await send("Input.dispatchKeyEvent", { type: "keyDown", key, text, windowsVirtualKeyCode });
      await send("Input.dispatchKeyEvent", { type: "keyUp", key, windowsVirtualKeyCode });
    },
    type: async (text) => void (await send("Input.insertText", { text })),
  };
}
