/** The CRM's standard types by their other names: the singular, and the id that the CRM gives each type. */
const otherNames: Readonly<Record<string, string>> = {
  contact: 'contacts',
  '0-1': 'contacts',
  company: 'companies',
  '0-2': 'companies',
  deal: 'deals',
  '0-3': 'deals',
  ticket: 'tickets',
  '0-5': 'tickets',
  product: 'products',
  '0-7': 'products',
  line_item: 'line_items',
  '0-8': 'line_items',
};

/**
 * One name per object type, so that batches, mappings and guards of two configs meet. Custom types are named as they are given.
 */
export const objectTypeName = (given: string): string => otherNames[given.toLowerCase()] ?? given;
