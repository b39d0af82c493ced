/** One entry of an error body's `errors` list (docs/reference/crm-api.md, Errors). */
export interface ErrorDetail {
  readonly message: string;
  readonly code?: string;
  readonly in?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** Everything that describes one refused request or one refused batch input. */
export interface Problem {
  readonly status: number;
  readonly message: string;
  readonly category?: string;
  readonly subCategory?: string;
  readonly context?: Readonly<Record<string, readonly string[]>>;
  readonly errors?: readonly ErrorDetail[];
  readonly links?: Readonly<Record<string, string>>;
  /** Fields that only some error bodies have, such as `policyName` of a 429. */
  readonly extra?: Readonly<Record<string, unknown>>;
}
