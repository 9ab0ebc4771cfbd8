import { EchoMask, type Repeatable } from "../text/echo.ts";
import type { Body } from "./transport.ts";

/** A request body whose content no error may repeat: people's data, where logs may be public. */
export interface PrivateBody extends Repeatable {
  /** As it was before it was compressed. */
  readonly content: Body;
}

/** Takes out of a line what it repeats of a request. */
export type HideSent = (line: string) => string;

/** Reads a body once more, and returns what hides it in these lines. Where it cannot be read, they are hidden as a whole. */
export async function hideSent(
  lines: readonly string[],
  { content, ...repeatable }: PrivateBody,
  signal: AbortSignal,
): Promise<HideSent> {
  if (!lines.some((line) => line !== "")) return (line) => line;
  const mask = new EchoMask(lines, repeatable);
  try {
    if (typeof content === "string") mask.read(Buffer.from(content));
    else if (Buffer.isBuffer(content)) mask.read(content);
    else {
      for await (const chunk of content.open()) {
        signal.throwIfAborted();
        mask.read(Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk)));
      }
    }
  } catch {
    return () => "";
  }
  return (line) => mask.text(line);
}
