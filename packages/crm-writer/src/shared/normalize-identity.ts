/**
 * An identity value as claims, batches and comparisons see it: trimmed; the CRM stores e-mail addresses in lower case
 * and compares strings without regard to case in searches (docs/reference/crm-api.md, Writing and Search).
 */
export function normalizeIdentity(property: string, value: string): string {
  const trimmed = value.trim();
  return property === 'email' ? trimmed.toLowerCase() : trimmed;
}
