import { HttpError, validationEntry } from '@sluice/service-kit';

/** Takes `expected_version` out of a body that is otherwise a config. Throws 422 when it is no whole number. */
export function takeExpectedVersion({ expected_version: expectedVersion, ...rest }: Record<string, unknown>): {
  rest: Record<string, unknown>;
  expectedVersion: number | undefined;
} {
  if (expectedVersion !== undefined && !Number.isSafeInteger(expectedVersion)) {
    throw new HttpError(422, [
      validationEntry('body', ['expected_version'], 'int_type', 'Must be a whole number', expectedVersion),
    ]);
  }
  return { rest, expectedVersion: expectedVersion as number | undefined };
}
