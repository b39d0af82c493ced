import { compileFlow, eventContext, type Outcome } from '@sluice/flow-engine';
import type { CrmFiles, CrmRecords } from '@sluice/ports';
import { ExportFilesTwin, partialPort, RestTargetsTwin } from '@sluice/ports/testing';
import { limitText, overLimit, type BoundedCall, type FieldLimit, type PortLimit } from './action-limit';
import { boundedSchema } from './bounded-schema';
import type { RunnableAction } from './define-action';
import type { ActionPorts } from './action-ports';
import { findAction, runnableActions } from './registry';
import { fileLimit } from './shared/shared-limits';
import { type ExamplePortal, startExamplePortal } from './shared/test-support/example-portal';
import { compiled } from './shared/test-support/step-run';

let portal: ExamplePortal;
beforeAll(async () => {
  portal = await startExamplePortal();
});
afterAll(() => portal.close());

const attempted = runnableActions().flatMap((action) =>
  action.limits.filter(({ checked }) => checked.some((moment) => moment === 'attempt')).map((limit) => ({ action, limit })),
);
const ofFields = attempted.flatMap(({ action, limit }) =>
  limit.on === 'field' ? limit.fields.map((field) => ({ action, limit, field, label: `${action.name}: ${field}` })) : [],
);
const ofPorts = attempted.flatMap(({ action, limit }) =>
  limit.on === 'port' ? [{ action, limit, label: `${action.name}: ${limit.id}` }] : [],
);

/** Runs a step with the fields of the action's first example and these. `used`: ports in place of those of the example. */
function run(
  action: RunnableAction,
  fields: object,
  payload: object,
  used: Partial<ActionPorts> = {},
): Promise<Outcome> {
  const { given, config } = action.examples[0]!;
  const entities = compiled(...given.entities);
  const step = { id: 'it', action: action.name, ...config, ...fields };
  const flow = compileFlow<ActionPorts>(
    { name: 'f', source: 'event_api', event_type: 'x', steps: [step] },
    { entities, actions: findAction },
  );
  const base = eventContext({ payload: { ...(given.payload as object), ...payload }, event_type: 'x', connector_id: 'c' });
  const ctx = { ...base, outputs: given.outputs ?? {} };
  const { signal } = new AbortController();
  const crm = portal.holding(given);
  return crm.run((ports) => flow.steps[0]!.run({ entities, ctx, ports: { ...ports, ...used }, signal }));
}

const refused = (action: RunnableAction, limit: FieldLimit) => ({
  kind: 'fail',
  failure: { kind: 'permanent', code: 'step_limit', message: overLimit(action.name, limit) },
});
const many = <T,>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

describe('the limits of actions that are checked at the attempt', () => {
  /** A field that a reference fills with the value of the event. */
  const filled: Record<string, object> = {
    'query: filters[].values': { filters: [{ property: 'lastname', operator: 'IN', values: '$.payload.list' }] },
    'query: filter_groups[].filters[].values': {
      filters: undefined,
      filter_groups: [{ filters: [{ property: 'lastname', operator: 'IN', values: ['$.payload.list'] }] }],
    },
    'upload_file: note': { note: '{$.payload.text}' },
  };
  it.each(ofFields)('may resolve to as much as declared, and no more: $label', async ({ action, limit, label }) => {
    for (const [more, expected] of [
      [0, { kind: 'done' }],
      [1, refused(action, limit)],
    ] as const) {
      const payload = { list: many(limit.max + more, (index) => `v${index}`), text: 'x'.repeat(limit.max + more) };
      const fields = JSON.parse(JSON.stringify(filled[label])) as object;
      expect(await run(action, fields, payload)).toMatchObject(expected);
    }
  });

  /** The result of a port's call with one more than its limit. */
  const calls: Record<BoundedCall, (action: RunnableAction, limit: PortLimit) => Promise<void>> = {
    associated_records: async (action, { max }) => {
      const asked: unknown[] = [];
      const crm = partialPort<CrmRecords>('crm', {
        associated: async ({ limit }) => (asked.push(limit), { ok: true, value: [] }),
      });
      const associations = [{ entity: 'company', as: 'company', cardinality: 'many' }];
      await run(action, { associations }, {}, { crm });
      expect(asked).toEqual([max]);
    },
    attachment_notes: async (action, { max }) => {
      const asked: unknown[] = [];
      const files = partialPort<CrmFiles>('files', {
        deleteAttachments: async ({ notes }) => (asked.push(notes), { ok: true, value: { deleted: 1 } }),
      });
      await run(action, {}, {}, { files });
      expect(asked).toEqual([max]);
    },
    answer: async (action, { max }) => {
      const rest = new RestTargetsTwin();
      await run(action, {}, {}, { rest });
      expect(rest.requests).toMatchObject([{ timeoutMs: max }]);
    },
    file: async (action, { id }) => {
      if (action.name === 'export_file') return exportsAsMuchAs(action, new ExportFilesTwin().maxBytes);
      const text = 'the file is larger than 20 MiB';
      const files = partialPort<CrmFiles>('files', {
        upload: async () => ({ ok: false, kind: 'permanent', code: 'file_too_large', message: text }),
      });
      const message = `${action.name}: ${text} (limit '${id}')`;
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
  it.each(ofPorts)('is what its port gets: $label', ({ action, limit }) => calls[limit.call](action, limit));
});

describe('a limit', () => {
  it('is described in words', () => {
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
