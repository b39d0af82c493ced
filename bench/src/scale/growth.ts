/** The sizes of a growth curve: a hundredth, a tenth and all of a full run. */
export const growthSizes = (full: number): number[] => [Math.round(full / 100), Math.round(full / 10), full];

/** What a value of the largest size is, divided by that of the smallest. */
export const growthOf = (values: readonly number[]): number => values.at(-1)! / values[0]!;
