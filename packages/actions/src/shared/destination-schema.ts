/**
 * The schema of an entity for a REST destination: the one with the name of its source, else the only one that is not the CRM's.
 * null when the entity has none, or several.
 */
export function destinationSchema(schemas: readonly string[], target: unknown): string | null {
  if (typeof target === 'string' && target !== 'crm' && schemas.includes(target)) return target;
  const others = schemas.filter((name) => name !== 'crm');
  return others.length === 1 ? others[0]! : null;
}
