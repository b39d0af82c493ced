/** The value below which `part` (0 to 1) of sorted numbers lie; 0 for an empty list. */
export function percentile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** The median; 0 for an empty list. */
export function median(numbers: readonly number[]): number {
  return percentile([...numbers].sort((a, b) => a - b), 0.5);
}
