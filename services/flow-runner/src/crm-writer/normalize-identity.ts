/**
 * An identity value as claims, batches and comparisons see it: trimmed; the CRM stores e-mail addresses in lower case
 * (crm-wire-api 2.2), and matches strings without regard to case in searches (2.4).
 */
export function normalizeIdentity(property: string, value: string): string {
  const trimmed = value.trim();
  return property === 'email' ? trimmed.toLowerCase() : trimmed;
}
