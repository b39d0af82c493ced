import { compileEntity, compileFlow, eventContext, type StepInput } from '@sluice/flow-engine';
import { CrmFilesTwin, CrmRecordsTwin, ExportFilesTwin, portTwins, RestTargetsTwin } from '@sluice/ports/testing';
import { limitText, overLimit, type BoundedCall, type FieldLimit, type PortLimit } from './action-limit';
import { boundedSchema } from './bounded-schema';
import type { ActionPorts, RunnableAction } from './define-action';
import { findAction, runnableActions } from './registry';
import { fileLimit } from './shared/shared-limits';

const attempted = runnableActions().flatMap((action) =>
  action.limits.filter(({ checked }) => checked.some((moment) => moment === 'attempt')).map((limit) => ({ action, limit })),
);
const ofFields = attempted.flatMap(({ action, limit }) =>
  limit.on === 'field' ? limit.fields.map((field) => ({ action, limit, field, label: `${action.name}: ${field}` })) : [],
);
const ofPorts = attempted.flatMap(({ action, limit }) =>
  limit.on === 'port' ? [{ action, limit, label: `${action.name}: ${limit.id}` }] : [],
);

/** Runs a step with the fields of the action's first example and these. */
function run(action: RunnableAction, fields: object, payload: object, ports: Partial<ActionPorts> = {}) {
  const { given, config } = action.examples[0]!;
  const entities = new Map(given.entities.map((entity) => [entity.name, compileEntity(entity)]));
  const step = { id: 'it', action: action.name, ...config, ...fields };
  const flow = compileFlow<ActionPorts>(
    { name: 'f', source: 'event_api', event_type: 'x', steps: [step] },
    { entities, actions: findAction },
  );
  const base = eventContext({ payload: { ...(given.payload as object), ...payload }, event_type: 'x', connector_id: 'c' });
  const crm = new CrmRecordsTwin(given.records ?? [], given.links ?? []);
  const input: StepInput<ActionPorts> = {
    entities,
    ctx: { ...base, outputs: given.outputs ?? {} },
    ports: portTwins({ crm, ...ports }),
    signal: new AbortController().signal,
  };
  return flow.steps[0]!.run(input);
}

const refused = (action: RunnableAction, limit: FieldLimit) => ({
  kind: 'fail',
  failure: { kind: 'permanent', code: 'step_limit', message: overLimit(action.name, limit) },
});
const many = <T,>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

describe('the limits of actions that are checked at the attempt', () => {
  /** A field that a reference fills with the value of the event. */
  const filled: Record<string, object> = {
    'query: filters[].values': { filters: [{ property: 'p', operator: 'IN', values: '$.payload.list' }] },
    'query: filter_groups[].filters[].values': {
      filters: undefined,
      filter_groups: [{ filters: [{ property: 'p', operator: 'IN', values: ['$.payload.list'] }] }],
    },
    'upload_file: note': { note: '{$.payload.text}' },
  };
  it.each(ofFields)('$label may resolve to as much as declared, and no more', async ({ action, limit, label }) => {
    for (const [more, expected] of [
      [0, { kind: 'done' }],
      [1, refused(action, limit)],
    ] as const) {
      const payload = { list: many(limit.max + more, (index) => `v${index}`), text: 'x'.repeat(limit.max + more) };
      const fields = JSON.parse(JSON.stringify(filled[label])) as object;
      expect(await run(action, fields, payload)).toMatchObject(expected);
    }
  });

  /** What a call of a port makes of one more than its limit. */
  const calls: Record<BoundedCall, (action: RunnableAction, limit: PortLimit) => Promise<void>> = {
    associated_records: async (action, { max }) => {
      for (const more of [0, 1]) {
        const companies = many(max + more, (index) => ({ objectType: 'companies', crm_id: `c${index}`, properties: {} }));
        const ada = { objectType: 'contacts', crm_id: '501', properties: {} };
        const crm = new CrmRecordsTwin(
          [ada, ...companies],
          companies.map(({ crm_id }) => ['501', crm_id]),
        );
        const associations = [{ entity: 'company', as: 'company', cardinality: 'many' }];
        const outcome = await run(action, { associations }, {}, { crm });
        expect(outcome).toMatchObject({ kind: 'done', output: { company: { length: max } } });
      }
    },
    attachment_notes: async (action, { max }) => {
      for (const more of [0, 1]) {
        const crm = new CrmRecordsTwin(action.examples[0]!.given.records);
        const files = new CrmFilesTwin(crm, { '501': many(max + more, (index) => `${index}.pdf`) });
        expect(await run(action, {}, {}, { crm, files })).toMatchObject({ output: { deleted: max } });
        expect(files.names()).toHaveLength(more);
      }
    },
    answer: async (action, { max }) => {
      const rest = new RestTargetsTwin();
      await run(action, {}, {}, { rest });
      expect(rest.requests).toMatchObject([{ timeoutMs: max }]);
    },
    file: async (action, { id }) => {
      if (action.name === 'export_file') return exportsAsMuchAs(action, new ExportFilesTwin().maxBytes);
      const files = new CrmFilesTwin(new CrmRecordsTwin(action.examples[0]!.given.records));
      files.failNext({ kind: 'permanent', code: 'file_too_large', message: 'the file is larger than 20 MiB' });
      const message = `${action.name}: the file is larger than 20 MiB (limit '${id}')`;
      expect(await run(action, {}, {}, { files })).toMatchObject({ failure: { code: 'file_too_large', message } });
    },
    // The reader of files has the operator's number (settings.test.ts, create-file-downloads.test.ts of flow-runner).
    download: async (_action, { setting }) => expect(setting).toBe('SLUICE_FILE_TIMEOUT'),
  };
  const exportsAsMuchAs = async (action: RunnableAction, maxBytes: number): Promise<void> => {
    const rest = JSON.stringify({ a: '' }).length + 1;
    for (const more of [0, 1]) {
      const outputs = { find: { rows: [{ a: 'x'.repeat(maxBytes - rest + more) }] } };
      const outcome = await run(action, { rows: '$.payload.find.rows', format: 'jsonl', columns: undefined }, outputs);
      const message = overLimit(action.name, { ...fileLimit, max: maxBytes });
      expect(outcome).toMatchObject(more === 0 ? { kind: 'done' } : { failure: { code: 'file_too_large', message } });
    }
  };
  it.each(ofPorts)('$label is what its port gets', ({ action, limit }) => calls[limit.call](action, limit));
});

describe('a limit', () => {
  it('is told in words', () => {
    const texts = attempted.map(({ limit }) => limitText(limit));
    expect(texts).toEqual(
      expect.arrayContaining([
        'At most 100 values in a condition.',
        'At most 5 seconds for the receiver to answer.',
        'At most 20 MiB in one file (SLUICE_FILE_MAX_SIZE).',
        'At most 65536 characters in note.',
      ]),
    );
  });

  it('has an id of its own in its action', () => {
    for (const { limits } of runnableActions()) expect(new Set(limits.map(({ id }) => id)).size).toBe(limits.length);
  });

  it.each([
    ['none', 'no_such'],
    ['a', 'a.none'],
    ['none', 'free'],
  ])('of a field that the schema does not have, or cannot bound, is refused: %s', (_, field) => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', description: '-' }, free: { description: '-' } },
    } as const;
    const limit: FieldLimit = { on: 'field', id: 'l', max: 1, unit: 'items', what: 'x', fields: [field], checked: ['save'] };
    expect(() => boundedSchema(schema, [limit])).toThrow(`a limit names the field '${field}'`);
  });
});
