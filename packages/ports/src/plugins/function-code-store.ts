import type { FunctionQualifier } from './function-platform';

/** The code of one function as the platform `local` keeps it. */
export interface StoredFunction {
  functionArn: string;
  organizationId: string;
}

/** A version of a function: which code it is. */
export interface StoredFunctionVersion {
  organizationId: string;
  /** SHA-256 of the code, hex. */
  sha256: string;
}

/**
 * Keeps the code of functions for the platform `local`. Code is kept once per organization and content; a published version never
 * changes. Throws StoreUnavailable. Adapter: store-postgres; twin: in memory.
 */
export interface FunctionCodeStore {
  /** Makes the code `$LATEST`. */
  putLatest(fn: StoredFunction, code: string): Promise<void>;
  /**
   * Makes the code `$LATEST` and publishes it as the next version, counted from 1. The same operation again answers the version
   * of the first time and changes nothing.
   */
  publish(fn: StoredFunction, code: string, operation: string): Promise<number>;
  /** null: there is no such function or version. */
  find(functionArn: string, qualifier: FunctionQualifier): Promise<StoredFunctionVersion | null>;
  /** null: no function of the organization has such code. */
  code(version: StoredFunctionVersion): Promise<string | null>;
  /** Removes a function with its versions, and code that no other function of its organization has. */
  remove(functionArn: string): Promise<void>;
}
