import type { ConfigDocument } from '@sluice/contracts';

const standard = new Set([
  'contact',
  'contacts',
  'company',
  'companies',
  'deal',
  'deals',
  'ticket',
  'tickets',
  'product',
  'products',
  'line_item',
  'line_items',
]);

/** Object types a config uses that are not standard ones, each once (docs/reference/accounts-and-plans.md, Plans). */
export function customObjectTypes(config: ConfigDocument): string[] {
  const types = config.entities.flatMap(({ schemas }) =>
    Object.values(schemas).flatMap(({ object_type }) => (object_type === undefined ? [] : [object_type])),
  );
  return [...new Set(types)].filter(isCustomObjectType);
}

export const isCustomObjectType = (type: string): boolean => !standard.has(type.toLowerCase());
