/** Names that the CRM gives its own parts (docs/reference/crm-api.md, Properties). */
const longest = 100;
const isCrmName = (name: string): boolean => /^[a-z][a-z0-9_]*$/.test(name) && name.length <= longest;

const rule = `it must start with a small letter and hold only small letters, digits and underscores, at most ${longest}`;

/** Why no property of that name can be created; null when one can. */
export const propertyNameProblem = (name: string): string | null =>
  isCrmName(name) ? null : `'${name}' is no name of a property: ${rule}`;

/** Why no property group of that name can be created; null when one can. */
export const groupNameProblem = (name: string): string | null =>
  isCrmName(name) ? null : `'${name}' is no name of a property group: ${rule}`;

/** Why no custom object type of that name can be created; null when one can. */
export const schemaNameProblem = (name: string): string | null =>
  /^[A-Za-z][A-Za-z0-9_]*$/.test(name)
    ? null
    : `'${name}' is no name of a custom object type: it must start with a letter and hold only letters, digits and underscores`;
