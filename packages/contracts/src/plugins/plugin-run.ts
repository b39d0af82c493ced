/** Levels of what a plugin logs; `console.log` is info. */
export const functionLogLevels = ['debug', 'info', 'warn', 'error'] as const;
export type FunctionLogLevel = (typeof functionLogLevels)[number];

/** Time that metrics of plugins are asked for, in hours, by its name. */
export const metricRanges = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;
export type MetricRange = keyof typeof metricRanges;
