import { HttpError, validationEntry } from '@sluice/service-kit';

/** Reads an optional timestamp of a body; one that has passed is a 422. */
export function futureDate(text: string | null | undefined, field: string): Date | null {
  if (text === null || text === undefined) return null;
  const date = new Date(text);
  if (date > new Date()) return date;
  throw new HttpError(422, [validationEntry('body', [field], 'date_past', 'Must lie in the future', text)]);
}
