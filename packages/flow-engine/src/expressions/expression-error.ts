/** An authored expression that cannot be compiled. `message` is for the author of the config. */
export class ExpressionError extends Error {
  /** `script` marks refused JSONPath script and filter expressions. */
  constructor(
    readonly code: 'reference' | 'script' | 'when' | 'transform',
    message: string,
  ) {
    super(message);
    this.name = 'ExpressionError';
  }
}
