import { setImmediate as nextTurn } from "node:timers/promises";
import { EchoMask, type Repeatable } from "../text/echo.ts";
import type { Body } from "./transport.ts";

/** A request body whose content no error may repeat: people's data, where logs may be public. */
export interface PrivateBody extends Repeatable {
  /** As it was before it was compressed. */
  readonly content: Body;
}

/** Takes out of a line what it repeats of a request. */
export type HideSent = (line: string) => string;

// About 2 ms of work: then other requests, timers and the signal have their turn.
const SLICE_BYTES = 1 << 16;

/** Reads a body once more, and returns what hides it in these lines. Where it cannot be read, they are hidden as a whole. */
export async function hideSent(
  lines: readonly string[],
  { content, ...repeatable }: PrivateBody,
  signal: AbortSignal,
): Promise<HideSent> {
  const mask = new EchoMask(lines, repeatable);
  const hide: HideSent = (line) => mask.text(line);
  if (!mask.isLooking) return hide;
  try {
    for await (const piece of typeof content === "string" || Buffer.isBuffer(content) ? [content] : content.open()) {
      const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(String(piece));
      for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
        signal.throwIfAborted();
        mask.read(bytes.subarray(at, at + SLICE_BYTES));
        await nextTurn();
      }
    }
  } catch {
    return () => "";
  }
  return hide;
}
