import type { Step } from '@sluice/contracts';
import fc from 'fast-check';
import { actionCatalogue, type CatalogueEntry } from './catalogue';
import { checkStep } from './check-step';
import { allActions } from './registry';
import { canonicalContact, companyEntity, contactEntity } from './shared/order-examples';

type Check = CatalogueEntry['required_checks'][number];
type Fields = Record<string, unknown>;

/** Reads a check as the catalogue describes it, as an editor would: without the code that enforces it. */
function isBroken({ fields, mode, equals }: Check, step: Fields): boolean {
  const inList = fields[0]!.split('[].');
  if (inList.length > 1) {
    const inner = { mode, equals, message: '', fields: fields.map((field) => field.split('[].')[1]!) };
    const elements = step[inList[0]!];
    return Array.isArray(elements) && elements.some((element) => isBroken(inner, (element ?? {}) as Fields));
  }
  const inside = (value: unknown, name: string): unknown => (value as Fields | undefined)?.[name];
  const at = (field: string): unknown => field.split('.').reduce(inside, step as unknown);
  const values = fields.map(at);
  const given = values.map((value) => !['', null, undefined, false].includes(value as never));
  const othersMissing = given.slice(1).some((one) => !one);
  const broken: Record<typeof mode, boolean> = {
    all: given.includes(false),
    any: !given.includes(true),
    at_most_one: given.filter(Boolean).length > 1,
    equals: values[0] !== equals,
    equals_if_given: given[0]! && values[0] !== equals,
    not_equals: values[0] === equals,
    requires: given[0]! && othersMissing,
    requires_unless: given[0]! && values[0] !== equals && othersMissing,
    rule: false,
  };
  return broken[mode];
}

/** Values that decide something: places, switches, and parts that checks look into. */
const telling: Record<string, unknown[]> = {
  target: ['crm', 'erp', ''], replace: [true, false], mapped_properties_only: [true, false], entity: ['contact', 'nobody', ''],
  plugin: [{}, { logical_name: 'score' }, { logical_name: '' }], url: ['/c', '/c/{external_id}', 'https://x.example.com', ''],
  associations: [
    [{ to_entity: 'company', to_external_id: '$.payload.a', association_category: 'USER_DEFINED' }],
    [{ to_entity: 'company', to_external_id: '$.payload.a', association_type_id: 1, association_category: 'USER_DEFINED' }],
    [{ entity: 'company', as: 'a' }, { entity: 'company', as: 'a' }],
  ],
  association_category: ['USER_DEFINED'], association_type_id: [1], items: ['$.payload.all'], rows: ['$earlier.rows', '$later.rows'],
  filters: [[{ property: 'a', operator: 'EQ', value: 1 }], [{ property: 'a', operator: 'BETWEEN', value: 1 }]],
  filter_groups: [[{ filters: [{ property: 'a', operator: 'IN' }] }], []], fields: [['email'], ['nope']], external_id_from: ['$.id', '$['],
  note: ['$.payload.a'], content: ['$.payload.a'], external_id: ['$.payload.a'], logical_name: ['score'],
};

const ofExpressions = ['reference_invalid', 'script_invalid'];

/** What a save refuses of a step beside its structure, its expressions and its limits. */
function enforced(step: Fields): { root: string; msg: string }[] {
  const whole = { id: 'it', ...step } as Step;
  const flow = { name: 'f', source: 's', event_type: 't', steps: [{ id: 'earlier', action: 'query' }, whole] };
  const entities = [contactEntity, companyEntity, canonicalContact];
  return checkStep({ step: whole, flow, config: { version: '3.1', entities, flows: [flow], sources: [] } })
    .filter(({ type, msg }) => !ofExpressions.includes(type) && !msg.includes('more than'))
    .map(({ path, msg }) => ({ root: String(path[0]), msg }));
}

const catalogue = new Map(actionCatalogue().map((entry) => [entry.name, entry]));
const rootOf = (field: string): string => field.split(/[.[]/)[0]!;

describe.each(allActions().map((action) => [action.name, action] as const))('required_checks of %s', (name, action) => {
  const { required_checks: checks } = catalogue.get(name)!;
  const fields = Object.keys(action.configSchema.properties);
  const values = (field: string): unknown[] =>
    [...(telling[field] ?? []), ...action.examples.flatMap(({ config }) => (field in config ? [config[field]] : []))];
  const steps = fc.record(
    Object.fromEntries(fields.flatMap((field) => (values(field).length > 0 ? [[field, fc.constantFrom(...values(field))]] : []))),
    { requiredKeys: [] },
  );

  test('hold every rule that a save enforces, and no other', () => {
    const rules = new Set(checks.filter(({ mode }) => mode === 'rule').flatMap((rule) => rule.fields.map(rootOf)));
    fc.assert(
      fc.property(steps, (step) => {
        const broken = checks.filter((check) => isBroken(check, step)).map(({ message }) => message);
        const found = enforced({ action: name, ...step });
        expect(found.filter(({ root, msg }) => !broken.includes(msg) && !rules.has(root))).toEqual([]);
        expect(broken.filter((message) => !found.some(({ msg }) => msg === message))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
