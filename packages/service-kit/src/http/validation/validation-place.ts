/** Where a checked value came from: the first part of an entry's `loc`. */
export type ValidationPlace = 'body' | 'query' | 'path';
