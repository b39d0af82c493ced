/**
 * The clocks of the product, one type each, so that the compiler refuses the wrong one (ADR 0098). Each is read by calling it and
 * answers in milliseconds.
 */
declare const clockKind: unique symbol;

/**
 * The clock of this machine: milliseconds since the epoch. People and NTP set it, forth and back. For what is shown to people,
 * and for comparing with times that other machines have written down.
 */
export type WallClock = (() => number) & { readonly [clockKind]: 'wall' };

/** Milliseconds from an arbitrary start; never goes back. For leases, deadlines, waits and the age of what is in memory. */
export type MonotonicClock = (() => number) & { readonly [clockKind]: 'monotonic' };

/**
 * The clock of the database: milliseconds since the epoch, the same in every process. For times that are stored and that several
 * processes compare: when a held event is due, when an event expires.
 */
export type StoreClock = (() => number) & { readonly [clockKind]: 'store' };

/** The clock of this machine; in tests another function. */
export const wallClock = (read: () => number = Date.now): WallClock => read as WallClock;

/** A function that never goes back as a monotonic clock. The processes use `createMonotonicClock` of service-kit. */
export const monotonicClock = (read: () => number): MonotonicClock => read as MonotonicClock;

/** A function that tells the time of the store. The runner uses `createStoreClock`. */
export const storeClock = (read: () => number): StoreClock => read as StoreClock;
