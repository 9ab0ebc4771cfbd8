const calls = new WeakMap<AbortSignal, (() => void)[]>();

/**
 * Calls `ring` when a signal aborts, at once if it has, unless what it returns is called before. The listeners of a
 * signal are linked to each other, and so are the tables of a Set, also once they are removed: what short requests leave
 * with a signal that lives long would keep each other in memory.
 */
export function onAbort(signal: AbortSignal, ring: () => void): () => void {
  if (signal.aborted) {
    ring();
    return () => undefined;
  }
  const ours = calls.get(signal) ?? [];
  if (!calls.has(signal)) {
    calls.set(signal, ours);
    const callAll = () => {
      for (const call of [...ours]) call();
    };
    signal.addEventListener("abort", callAll, { once: true });
  }
  ours.push(ring);
  return () => {
    const at = ours.indexOf(ring);
    if (at >= 0) ours.splice(at, 1);
  };
}
