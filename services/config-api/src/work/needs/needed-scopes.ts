import { type ConfigDocument, standardObjectType, type Step } from '@sluice/contracts';

/** The object types a config acts on: those of its entities and those that steps name themselves, each once. */
export function objectTypesOf({ entities, flows }: ConfigDocument): string[] {
  const ofEntities = entities.flatMap(({ schemas }) => schemas.crm?.object_type ?? []);
  const ofSteps = flows.flatMap(({ steps }) =>
    steps.flatMap(({ object_type: type }) => (typeof type === 'string' ? [type] : [])));
  return [...new Set([...ofEntities, ...ofSteps])];
}

const isCustomName = (objectType: string): boolean => /^(p\d*_|2-)/i.test(objectType);
const olderScopes = (name: string): string[] => (name === 'products' || name === 'line_items' ? ['e-commerce'] : []);

/** Of each inner list one scope is needed to read and write records of the type; null: the scopes of the type are not known. */
export function scopesOfType(objectType: string): string[][] | null {
  const name = standardObjectType(objectType);
  if (isCustomName(objectType)) return ['read', 'write'].map((verb) => [`crm.objects.custom.${verb}`]);
  if (name === 'tickets') return [['tickets']];
  if (name === null) return null;
  return ['read', 'write'].map((verb) => [`crm.objects.${name}.${verb}`, ...olderScopes(name)]);
}

/** One of these scopes is needed to create definitions of the type (properties, groups, pipelines); null: they are not known. */
export function schemaScopesOf(objectType: string): string[] | null {
  const name = standardObjectType(objectType);
  if (isCustomName(objectType)) return ['crm.schemas.custom.write'];
  if (name === null || name === 'tickets') return name && [name];
  return [`crm.schemas.${name}.write`, ...olderScopes(name)];
}

/** Actions that need a scope of their own, and which. Notes, through which files are attached, belong to contacts. */
export const actionScopes: Readonly<Record<string, { code: string; scopes(step: Step): string[] }>> = {
  upload_file: {
    code: 'attachment_missing_scopes',
    scopes: ({ entity }) => (entity === undefined ? ['files'] : ['files', 'crm.objects.contacts.write']),
  },
  delete_attachments: {
    code: 'attachment_missing_scopes',
    scopes: () => ['files', 'crm.objects.contacts.read', 'crm.objects.contacts.write'],
  },
  submit_form: { code: 'submit_form_missing_forms_scope', scopes: () => ['forms'] },
};
