/** Reads again when the last reading is older than `ms`; concurrent callers share one reading. */
export function keptFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let reading: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (!reading || performance.now() - reading.at > ms) reading = { at: performance.now(), value: read() };
    return reading.value;
  };
}
