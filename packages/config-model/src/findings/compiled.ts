import { ExpressionError } from '@sluice/flow-engine';

/**
 * What compiling gives; null where the expression does not compile: drafts of earlier releases, which checked less, are read too.
 */
export function compiled<T>(compile: () => T): T | null {
  try {
    return compile();
  } catch (error) {
    if (error instanceof ExpressionError) return null;
    throw error;
  }
}
