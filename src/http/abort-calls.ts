/**
 * What is to be called when a signal aborts. The listeners of a signal are a list in which each links to the next, also
 * once they are removed: those of short requests to a signal that lives long keep each other in memory.
 */
export class AbortCalls {
  readonly #bySignal = new WeakMap<AbortSignal, Set<() => void>>();

  /** Calls `ring` when the signal aborts, unless what it returns is called before. */
  add(signal: AbortSignal, ring: () => void): () => void {
    const calls = this.#bySignal.get(signal) ?? new Set();
    if (!this.#bySignal.has(signal)) {
      this.#bySignal.set(signal, calls);
      const callAll = () => {
        for (const call of calls) call();
      };
      signal.addEventListener("abort", callAll, { once: true });
    }
    calls.add(ring);
    return () => {
      calls.delete(ring);
    };
  }
}
