import type { CallFailure } from '@sluice/ports';

/** A property whose value the CRM refused, and the CRM's error code. */
export interface RefusedValue {
  name: string;
  error: string;
}

/** All values that a refusal names: its message lists them as JSON (docs/reference/crm-api.md, Errors). */
export function refusedValues({ kind, message }: CallFailure): RefusedValue[] {
  const list = kind === 'permanent' ? /not valid: (\[.*\])/s.exec(message)?.[1] : undefined;
  if (list === undefined) return [];
  try {
    const entries = JSON.parse(list) as { name?: unknown; error?: unknown }[];
    return entries.map(({ name, error }) => ({ name: String(name), error: String(error) }));
  } catch {
    // The message has another form: nothing is known about single values.
    return [];
  }
}
