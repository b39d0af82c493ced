/** An error of the caller: shown without a stack, ends with exit code 2. */
export class CliError extends Error {
  override name = 'CliError';
}
