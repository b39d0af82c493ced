/** Bounds of one set of lanes: counts of items, and what they take in memory. Numbers are positive integers. */
export interface KeyLanesOptions {
  /** Items being worked on at one moment, all partitions together, orphans of revoked partitions included. */
  readonly maxInFlight: number;
  /** Number of fetched and unfinished items at which fetching of a partition should pause. */
  readonly maxBuffered: number;
  /**
   * The same for all partitions together: then those partitions pause that have at least their share of it. Default: no bound.
   */
  readonly maxTotal?: number;
  /**
   * Items between the lowest unfinished one and the newest of a partition, finished ones included, at which fetching should
   * pause: bounds how much one stuck item keeps in memory, and how much is repeated after a crash. Default 10 x maxBuffered.
   */
  readonly maxWindow?: number;
  /**
   * The same bounds (per partition, all together) for the memory of the items (`bytes` of an item). A single item
   * always passes, whatever its size, because it is fetched before it is counted. Default: no bound.
   */
  readonly maxBytes?: number;
  readonly maxTotalBytes?: number;
  /** Longest convoy. Default 500. */
  readonly maxConvoy?: number;
  /**
   * Shares the places in flight: each group, and each pool of groups, may take half of those that are free, so that none takes
   * them all. Answers the pool of a group, for example the system that its items are written to; null: it is in none.
   * Default: whoever is first takes all.
   */
  readonly poolOf?: (group: string) => string | null;
}

/** The same with every bound known. */
export type KeyLanesBounds = Required<Omit<KeyLanesOptions, 'poolOf'>> & {
  readonly poolOf: ((group: string) => string | null) | null;
};

/** Fills in the defaults. Throws a RangeError that names the option when a bound makes no sense. */
export function checkedBounds(options: KeyLanesOptions): KeyLanesBounds {
  const bounds = {
    maxInFlight: options.maxInFlight,
    maxBuffered: options.maxBuffered,
    maxTotal: options.maxTotal ?? Number.MAX_SAFE_INTEGER,
    maxWindow: options.maxWindow ?? options.maxBuffered * 10,
    maxBytes: options.maxBytes ?? Number.MAX_SAFE_INTEGER,
    maxTotalBytes: options.maxTotalBytes ?? Number.MAX_SAFE_INTEGER,
    maxConvoy: options.maxConvoy ?? 500,
  };
  for (const [name, value] of Object.entries(bounds)) {
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`key-lanes: ${name} must be a positive integer, not ${value}`);
  }
  if (bounds.maxWindow < bounds.maxBuffered) throw new RangeError('key-lanes: maxWindow must not be below maxBuffered');
  return { ...bounds, poolOf: options.poolOf ?? null };
}
