import type { Clock } from "./clock.ts";

/** What work comes to; until then calls `beat` after each pause, with the milliseconds since the call. */
export async function withHeartbeat<Result>(
  work: Promise<Result>,
  pauseMilliseconds: number,
  beat: (elapsedMilliseconds: number) => void,
  clock: Clock,
): Promise<Result> {
  const start = clock.now();
  const over = new AbortController();
  const beating = (async () => {
    for (;;) {
      await clock.sleep(pauseMilliseconds, over.signal);
      beat(clock.now() - start);
    }
  })().catch(() => undefined);
  try {
    return await work;
  } finally {
    over.abort();
    await beating;
  }
}
