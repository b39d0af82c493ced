import { allActions, overLimit, type ActionLimit, type DescribedAction, type FieldSchema } from '@sluice/actions';
import type { ConfigDocument, Step } from '@sluice/contracts';
import { checkConfig } from './check-config';

const saved = allActions().flatMap((action) =>
  action.limits.filter(({ checked }) => checked.some((moment) => moment === 'save')).map((limit) => ({ action, limit })),
);
const ofFields = saved.flatMap(({ action, limit }) =>
  (limit.on === 'field' ? limit.fields : []).map((field) => ({ action, limit, field, label: `${action.name}: ${field}` })),
);
const ofSteps = saved.flatMap(({ action, limit }) =>
  limit.on === 'step' ? [{ action, limit, label: `${action.name}: ${limit.id}` }] : [],
);

const many = <T,>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

/** A value of which there is so much as is counted. */
function sized({ type, items = {} }: FieldSchema, size: number): unknown {
  const [counted] = [type ?? []].flat();
  if (counted === 'integer') return size;
  if (counted === 'string') return 'x'.repeat(size);
  if (counted === 'array') return many(size, (index) => element(items, index));
  return Object.fromEntries(many(size, (index) => [`p${index}`, 'x']));
}

const element = ({ properties, required = [] }: FieldSchema, index: number): unknown =>
  properties ? Object.fromEntries(required.map((name) => [name, properties[name]?.enum?.[0] ?? `x${index}`])) : `x${index}`;

/** The step with the field in that size, and where it then is. */
function withField(step: Record<string, unknown>, action: DescribedAction, field: string, size: number) {
  const path: (string | number)[] = [];
  let [at, schema]: [Record<string, unknown>, FieldSchema] = [step, action.configSchema];
  for (const part of field.split('.').slice(0, -1)) {
    const name = part.replace('[]', '');
    const inner = schema.properties![name]!;
    const isList = part.endsWith('[]');
    const next = (isList ? element(inner.items!, 0) : {}) as Record<string, unknown>;
    at[name] = isList ? [next] : next;
    path.push(name, ...(isList ? [0] : []));
    [at, schema] = [next, isList ? inner.items! : inner];
  }
  const last = field.split('.').at(-1)!;
  at[last] = sized(schema.properties![last]!, size);
  return [...path, last];
}

const documentOf = (step: Record<string, unknown>, entities: ConfigDocument['entities']): ConfigDocument => ({
  version: '3.1',
  entities,
  flows: [{ name: 'f', source: 's', event_type: 't', steps: [step as Step] }],
  sources: [{ name: 's', type: 'event_api', config: {} }],
});

/** What a save says of limits. */
const overLimits = (document: ConfigDocument) =>
  checkConfig(document, { moment: 'save' }).flatMap(({ loc, msg }) => (msg.includes('more than') ? [{ loc, msg }] : []));

const stepOf = ({ name, examples: [example] }: DescribedAction) => ({
  id: 'it',
  action: name,
  ...structuredClone(example!.config),
});
const place = (path: (string | number)[]) => ['body', 'flows', 0, 'steps', 0, ...path];
const refusal = (action: DescribedAction, limit: ActionLimit, path: (string | number)[]) => [
  { loc: place(path), msg: overLimit(action.name, limit) },
];

describe('the limits of actions that are checked at save', () => {
  it.each(ofFields)('may be as large as declared, and no larger: $label', ({ action, limit, field }) => {
    const { entities } = action.examples[0]!.given;
    for (const more of [0, 1]) {
      const step: Record<string, unknown> = stepOf(action);
      const path = withField(step, action, field, limit.max + more);
      expect(overLimits(documentOf(step, entities))).toEqual(more === 0 ? [] : refusal(action, limit, path));
    }
  });

  /** Steps in which a count over several fields is as given. */
  const counted: Record<string, (count: number) => object> = {
    'query: conditions': (count) => ({
      filters: undefined,
      filter_groups: many(5, (group) => ({
        filters: many(Math.floor((count + group) / 5), () => ({ property: 'p', operator: 'HAS_PROPERTY' })),
      })),
    }),
  };
  it.each(ofSteps)('may be as many as declared, and no more: $label', ({ action, limit, label }) => {
    for (const more of [0, 1]) {
      const step = JSON.parse(JSON.stringify({ ...stepOf(action), ...counted[label]!(limit.max + more) })) as Step;
      expect(overLimits(documentOf(step, []))).toEqual(more === 0 ? [] : refusal(action, limit, [limit.field]));
    }
  });

  it('names action, limit and number', () => {
    const step = { id: 'it', action: 'query', target: 'crm', object_type: 'contacts', limit: 1_001 };
    expect(overLimits(documentOf(step, [])).map(({ msg }) => msg)).toEqual(["query: more than 1000 rows (limit 'rows')"]);
  });
});
