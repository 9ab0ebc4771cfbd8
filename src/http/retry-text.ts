import type { RetryNotice } from "./sender.ts";
import { durationText } from "../text/duration.ts";

/** `GET https://host/path: status 503; attempt 2 of 4 in 1.2 s` */
export function retryText({ target, reason, attempt, mostAttempts, delayMilliseconds }: RetryNotice): string {
  const next = `attempt ${String(attempt + 1)} of ${String(mostAttempts)} in ${durationText(delayMilliseconds)}`;
  return `${target}: ${reason}; ${next}`;
}
