import { HttpError, validationEntry } from '@sluice/service-kit';

/** The answer to a file that cannot be imported at all: 422 at `file`. */
export const fileProblem = (type: string, message: string): HttpError =>
  new HttpError(422, [validationEntry('body', ['file'], type, message, null)]);
