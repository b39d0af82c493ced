/** A kind of record: one of the CRM's own, or a custom one of a portal. */
export interface ObjectType {
  /** `0-1`, or `2-N` for custom types. */
  readonly id: string;
  /** Plural name used in paths; for custom types the fully qualified name `p<portal>_<name>`. */
  readonly name: string;
  /** Further names accepted in paths, lower case. */
  readonly aliases: readonly string[];
  /** Name in association texts: `contact`. */
  readonly singular: string;
  /** Name in error texts: `CONTACT`. */
  readonly legacyName: string;
  readonly createdProperty: 'createdate' | 'hs_createdate';
  readonly modifiedProperty: 'lastmodifieddate' | 'hs_lastmodifieddate';
  /** Returned when a read names no properties, besides the system ones. */
  readonly defaultProperties: readonly string[];
  /** Properties that the `query` of a search reads. */
  readonly searchable: readonly string[];
  readonly readScopes: readonly string[];
  readonly writeScopes: readonly string[];
  readonly schemaReadScopes: readonly string[];
  readonly schemaWriteScopes: readonly string[];
  readonly pipelineProperties?: { readonly pipeline: string; readonly stage: string };
  /** The group properties fall into; also the default group of the type. */
  readonly defaultGroup: string;
  /** Properties one of which (inner list) must be set on create. */
  readonly required: readonly (readonly string[])[];
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly singular: string;
  readonly scope?: string;
  readonly defaults?: string;
  readonly searchable?: string;
  readonly required?: readonly (readonly string[])[];
  readonly pipeline?: { readonly pipeline: string; readonly stage: string };
  readonly group?: string;
}

const dealPipeline = { pipeline: 'pipeline', stage: 'dealstage' };
const hsPipeline = { pipeline: 'hs_pipeline', stage: 'hs_pipeline_stage' };
const timestamp = [['hs_timestamp']];

/** The CRM's own object types: ids and names, default properties, required and searchable properties. */
const rows: readonly Row[] = [
  {
    id: '0-1',
    name: 'contacts',
    singular: 'contact',
    defaults: 'firstname,lastname,email',
    searchable: 'firstname,lastname,email,phone,hs_additional_emails,fax,mobilephone,company',
    group: 'contactinformation',
  },
  {
    id: '0-2',
    name: 'companies',
    singular: 'company',
    defaults: 'name,domain',
    searchable: 'name,domain,website,phone',
    required: [['name', 'domain']],
    group: 'companyinformation',
  },
  {
    id: '0-3',
    name: 'deals',
    singular: 'deal',
    defaults: 'dealname,amount,closedate,pipeline,dealstage',
    searchable: 'dealname,pipeline,dealstage,description,dealtype',
    required: [['dealname'], ['dealstage']],
    pipeline: dealPipeline,
    group: 'dealinformation',
  },
  {
    id: '0-5',
    name: 'tickets',
    singular: 'ticket',
    scope: 'tickets',
    defaults: 'subject,content,hs_pipeline,hs_pipeline_stage,hs_ticket_category,hs_ticket_priority',
    searchable: 'subject,content,hs_pipeline_stage,hs_ticket_category,hs_ticket_id',
    required: [['subject'], ['hs_pipeline_stage']],
    pipeline: hsPipeline,
    group: 'ticketinformation',
  },
  {
    id: '0-7',
    name: 'products',
    singular: 'product',
    defaults: 'name,description,price',
    searchable: 'name,description,price,hs_sku',
    required: [['name']],
    group: 'productinformation',
  },
  { id: '0-8', name: 'line_items', singular: 'line_item', defaults: 'quantity,amount,price', searchable: 'name,hs_sku' },
  { id: '0-14', name: 'quotes', singular: 'quote', defaults: 'hs_title', searchable: 'hs_title' },
  { id: '0-18', name: 'communications', singular: 'communication', scope: 'contacts', required: timestamp },
  { id: '0-19', name: 'feedback_submissions', singular: 'feedback_submission' },
  {
    id: '0-27',
    name: 'tasks',
    singular: 'task',
    scope: 'contacts',
    required: timestamp,
    searchable: 'hs_task_subject,hs_task_body',
  },
  { id: '0-46', name: 'notes', singular: 'note', scope: 'contacts', required: timestamp, searchable: 'hs_note_body' },
  {
    id: '0-47',
    name: 'meetings',
    singular: 'meeting',
    scope: 'contacts',
    required: timestamp,
    searchable: 'hs_meeting_title,hs_meeting_body',
  },
  {
    id: '0-48',
    name: 'calls',
    singular: 'call',
    scope: 'contacts',
    required: timestamp,
    searchable: 'hs_call_title,hs_call_body',
  },
  {
    id: '0-49',
    name: 'emails',
    singular: 'email',
    scope: 'contacts',
    required: timestamp,
    searchable: 'hs_email_subject,hs_email_text',
  },
  { id: '0-53', name: 'invoices', singular: 'invoice' },
  { id: '0-54', name: 'marketing_events', singular: 'marketing_event' },
  { id: '0-69', name: 'subscriptions', singular: 'subscription' },
  { id: '0-74', name: 'goal_targets', singular: 'goal_target' },
  { id: '0-84', name: 'discounts', singular: 'discount', scope: 'line_items' },
  { id: '0-85', name: 'fees', singular: 'fee', scope: 'line_items' },
  { id: '0-86', name: 'taxes', singular: 'tax', scope: 'line_items' },
  { id: '0-101', name: 'commerce_payments', singular: 'commerce_payment' },
  { id: '0-115', name: 'users', singular: 'user' },
  { id: '0-116', name: 'postal_mail', singular: 'postal_mail', scope: 'contacts', required: timestamp },
  {
    id: '0-123',
    name: 'orders',
    singular: 'order',
    defaults: 'hs_order_name',
    searchable: 'hs_order_name',
    pipeline: hsPipeline,
  },
  { id: '0-136', name: 'leads', singular: 'lead', defaults: 'hs_lead_name', searchable: 'hs_lead_name', pipeline: hsPipeline },
  { id: '0-142', name: 'carts', singular: 'cart' },
  { id: '0-162', name: 'services', singular: 'service', pipeline: hsPipeline },
  { id: '0-410', name: 'courses', singular: 'course', pipeline: hsPipeline },
  { id: '0-420', name: 'listings', singular: 'listing', pipeline: hsPipeline },
  { id: '0-421', name: 'appointments', singular: 'appointment', pipeline: hsPipeline },
  { id: '0-970', name: 'projects', singular: 'project', pipeline: hsPipeline },
];

const csv = (text: string | undefined): string[] => (text ? text.split(',') : []);

function scopesOf(scope: string, verb: 'read' | 'write', kind: 'objects' | 'schemas'): string[] {
  if (scope === 'tickets') return ['tickets'];
  const granular = `crm.${kind}.${scope}.${verb}`;
  return scope === 'products' || scope === 'line_items' ? [granular, 'e-commerce'] : [granular];
}

function standardType(row: Row): ObjectType {
  const scope = row.scope ?? row.name;
  const contactDates = row.id === '0-1';
  const oldDates = ['0-1', '0-2', '0-3', '0-5', '0-7', '0-8'].includes(row.id);
  return {
    id: row.id,
    name: row.name,
    aliases: [row.singular, row.name, row.id],
    singular: row.singular,
    legacyName: row.singular.toUpperCase(),
    createdProperty: oldDates ? 'createdate' : 'hs_createdate',
    modifiedProperty: contactDates ? 'lastmodifieddate' : 'hs_lastmodifieddate',
    defaultProperties: csv(row.defaults),
    searchable: csv(row.searchable),
    readScopes: scopesOf(scope, 'read', 'objects'),
    writeScopes: scopesOf(scope, 'write', 'objects'),
    schemaReadScopes: scopesOf(scope, 'read', 'schemas'),
    schemaWriteScopes: scopesOf(scope, 'write', 'schemas'),
    pipelineProperties: row.pipeline,
    defaultGroup: row.group ?? `${row.singular}_information`,
    required: row.required ?? [],
  };
}

/** The CRM's own object types; every portal has them. */
export const standardTypes: readonly ObjectType[] = rows.map(standardType);

/** What a custom type is made from (docs/reference/crm-api.md, Custom object schemas). */
export interface CustomTypeInput {
  readonly portalId: number;
  readonly number: number;
  readonly name: string;
  readonly requiredProperties: readonly string[];
  readonly searchableProperties: readonly string[];
  readonly primaryDisplayProperty?: string;
}

/** The object type behind a custom schema. */
export function customType(input: CustomTypeInput): ObjectType {
  const qualified = `p${input.portalId}_${input.name}`;
  const lower = input.name.toLowerCase();
  return {
    id: `2-${input.number}`,
    name: qualified,
    aliases: [qualified.toLowerCase(), `p_${lower}`, lower, `2-${input.number}`],
    singular: input.name,
    legacyName: qualified,
    createdProperty: 'hs_createdate',
    modifiedProperty: 'hs_lastmodifieddate',
    defaultProperties: input.primaryDisplayProperty ? [input.primaryDisplayProperty] : [],
    searchable: input.searchableProperties,
    readScopes: ['crm.objects.custom.read'],
    writeScopes: ['crm.objects.custom.write'],
    schemaReadScopes: ['crm.schemas.custom.read'],
    schemaWriteScopes: ['crm.schemas.custom.write'],
    pipelineProperties: hsPipeline,
    defaultGroup: `${lower}_information`,
    required: input.requiredProperties.map((name) => [name]),
  };
}
