import { errorCodes, errorDetail, type ErrorCode } from '@sluice/contracts';

/** An answer other than success, thrown anywhere. `detail` is sent to the client unchanged. */
export class HttpError extends Error {
  override name = 'HttpError';

  constructor(readonly status: number, readonly detail: unknown, readonly headers: Readonly<Record<string, string>> = {}) {
    super(`${status} ${typeof detail === 'string' ? detail : JSON.stringify(detail)}`);
  }
}

/** The error of a code of the table: its status and the shape of its detail come from there. */
export function apiError(
  code: ErrorCode,
  fields: Record<string, unknown> = {},
  headers: Readonly<Record<string, string>> = {},
): HttpError {
  return new HttpError(errorCodes[code].status, errorDetail(code, fields), headers);
}
