import { join } from 'node:path';

/** Where a run writes its results: `bench/results`. */
export const resultsDir = join(__dirname, '..', '..', 'results');
