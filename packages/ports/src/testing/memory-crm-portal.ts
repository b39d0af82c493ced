import type { CrmAssociationType, CrmChange, CrmPropertyDefinition } from '../crm-client';

/** A record of the twin. Values are text; an empty one is absent. */
export interface MemoryCrmRecord {
  id: string;
  properties: Record<string, string>;
  /** Who gave each property the value it has or had last. */
  lastChanges: Record<string, CrmChange>;
  archived: boolean;
  createdAt: number;
  updatedAt: number;
  /** Set when merged: reads by this id lead there. */
  mergedInto?: string;
  /** What the search index gets to see, and when. Oldest first. */
  indexed: { at: number; properties: Record<string, string> }[];
}

/** One kind of record: definitions, required properties, records by id. */
export interface MemoryObjectType {
  name: string;
  /** Of each list one must be set when a record is created. */
  required: string[][];
  groups: Map<string, string>;
  properties: Map<string, CrmPropertyDefinition>;
  records: Map<string, MemoryCrmRecord>;
}

/** An association type as it is seen from `from`; `inverse` is its id from the other side. */
export interface MemoryAssociationType extends CrmAssociationType {
  from: string;
  to: string;
  inverse: number;
}

const property = (name: string, more: Partial<CrmPropertyDefinition> = {}): CrmPropertyDefinition => ({
  name,
  label: name,
  type: 'string',
  fieldType: 'text',
  groupName: 'information',
  hasUniqueValue: false,
  readOnly: false,
  ...more,
});
const number = (name: string): CrmPropertyDefinition => property(name, { type: 'number', fieldType: 'number' });
const system = (name: string): CrmPropertyDefinition => property(name, { type: 'datetime', fieldType: 'date', readOnly: true });

function objectType(name: string, required: string[][], properties: (CrmPropertyDefinition | string)[]): MemoryObjectType {
  const all = [
    ...properties.map((one) => (typeof one === 'string' ? property(one) : one)),
    system('createdate'),
    system('lastmodifieddate'),
    system('hs_object_id'),
  ];
  return {
    name,
    required,
    groups: new Map([['information', 'Information']]),
    properties: new Map(all.map((one) => [one.name, one])),
    records: new Map(),
  };
}

/** The kinds of record an empty portal knows, with the properties the tests of the product use. */
export const standardTypes = (): MemoryObjectType[] => [
  objectType(
    'contacts',
    [],
    [
      property('email', { hasUniqueValue: true }),
      'firstname',
      'lastname',
      'phone',
      'address',
      'city',
      'zip',
      'country',
      'company',
      'jobtitle',
      'website',
      'lifecyclestage',
      'hubspot_owner_id',
    ],
  ),
  objectType(
    'companies',
    [['name', 'domain']],
    [
      'name',
      'domain',
      'phone',
      'website',
      'city',
      'country',
      'description',
      number('numberofemployees'),
      number('annualrevenue'),
    ],
  ),
  objectType(
    'deals',
    [['dealname'], ['dealstage']],
    ['dealname', 'dealstage', 'pipeline', 'closedate', 'description', 'hubspot_owner_id', number('amount')],
  ),
  objectType('tickets', [['subject'], ['hs_pipeline_stage']], ['subject', 'content', 'hs_pipeline', 'hs_pipeline_stage']),
  objectType('products', [['name']], ['name', 'description', 'hs_sku', number('price')]),
  objectType('line_items', [], ['name', 'hs_sku', 'hs_product_id', number('quantity'), number('price')]),
];

const row = (from: string, to: string, typeId: number, inverse: number, label: string | null = null): MemoryAssociationType[] => [
  { from, to, typeId, inverse, label, category: 'HUBSPOT_DEFINED' },
  { from: to, to: from, typeId: inverse, inverse: typeId, label, category: 'HUBSPOT_DEFINED' },
];

/** The type without a label comes first: it is the default of the pair (docs/reference/crm-api.md, Associations). */
export const standardAssociationTypes: readonly MemoryAssociationType[] = [
  ...row('contacts', 'companies', 279, 280),
  ...row('contacts', 'deals', 4, 3),
  ...row('companies', 'deals', 342, 341),
  ...row('deals', 'line_items', 19, 20),
  ...row('contacts', 'tickets', 15, 16),
  ...row('companies', 'tickets', 340, 339),
  ...row('contacts', 'companies', 1, 2, 'Primary'),
  ...row('deals', 'companies', 5, 6, 'Primary'),
];

/** Why the CRM refuses something, as in its error bodies (docs/reference/crm-api.md, Errors). */
export interface CrmProblem {
  status: number;
  category: string;
  message: string;
  subCategory?: string;
  context?: Record<string, string[]>;
  errors?: { message: string; code: string; context: { propertyName: string[] } }[];
}

export const refusal = (message: string, more: Partial<CrmProblem> = {}): CrmProblem => ({
  status: 400,
  category: 'VALIDATION_ERROR',
  message,
  ...more,
});

/** Thrown inside the twin to refuse a whole call; the client turns it into a failure. */
export class CrmRefusal extends Error {
  constructor(readonly problem: CrmProblem) {
    super(problem.message);
  }
}
