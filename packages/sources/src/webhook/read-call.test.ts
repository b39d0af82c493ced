import type { CallHeaders, ReadCall } from '../source-runtime';
import { compileRead, maxElements } from './read-call';
import type { WebhookConfig } from './webhook-config';

const read = (config: WebhookConfig, body: unknown, headers: CallHeaders = {}, repeat: string | null = null): ReadCall =>
  compileRead(config, 'shop.received')(body, headers, { repeat });
const eventsOf = (...given: Parameters<typeof read>) => {
  const found = read(...given);
  if (!found.ok) throw new Error(JSON.stringify(found.problems));
  return found.events;
};
const problemsOf = (...given: Parameters<typeof read>) => {
  const found = read(...given);
  return found.ok ? [] : found.problems.map(({ type, loc }) => `${type} ${loc.join('.')}`);
};

describe('one event', () => {
  const body = { topic: 'order.created', order: { id: 17, at: '2026-03-02T10:00:00', key: 'K-1' } };

  test('is the body, named after its source where nothing names it', () => {
    expect(read({}, body)).toEqual({
      ok: true, isSplit: false,
      events: [{ eventType: 'shop.received', externalId: null, recordKey: null, timestamp: null, payload: body, dedupe: null }],
    });
    expect(eventsOf({}, [1, 2])[0]!.payload).toEqual([1, 2]);
  });

  test('has what the paths of its config find', () => {
    const config: WebhookConfig = {
      event_type_path: '$.topic', external_id_path: '$.order.id', record_key_path: '$.order.key', timestamp_path: '$.order.at',
      dedupe_path: '$.order.id',
    };
    expect(eventsOf(config, body)).toEqual([{
      eventType: 'order.created', externalId: '17', recordKey: 'K-1', timestamp: '2026-03-02T10:00:00.000Z', payload: body,
      dedupe: '["value","17"]',
    }]);
    expect(eventsOf({ external_id_path: '$.order.id' }, body)).toMatchObject([{ externalId: '17', recordKey: '17' }]);
    expect(eventsOf({ event_type: 'fixed' }, body)).toMatchObject([{ eventType: 'fixed' }]);
    expect(eventsOf({ event_type_header: 'X-Topic' }, body, { 'x-topic': 'orders/create' })).toMatchObject([{ eventType: 'orders/create' }]);
  });

  test.each([
    ['2026-03-02T10:00:00+01:00', '2026-03-02T09:00:00.000Z'], [1_772_445_600, '2026-03-02T10:00:00.000Z'],
    [1_772_445_600_000, '2026-03-02T10:00:00.000Z'], ['1772445600', '2026-03-02T10:00:00.000Z'], ['yesterday', null], [{}, null],
    [-5, null], [1e300, null], [null, null],
  ])('happened at %p: %p', (at, expected) => {
    expect(eventsOf({ timestamp_path: '$.at' }, { at })[0]!.timestamp).toBe(expected);
  });

  test.each<[string, WebhookConfig, unknown, string[]]>([
    ['a number', {}, 5, ['type_error body']],
    ['a text', {}, 'x', ['type_error body']],
    ['null', {}, null, ['type_error body']],
    ['no type where the path leads', { event_type_path: '$.type' }, { a: 1 }, ['missing body.event_type']],
    ['an empty type', { event_type_path: '$.type' }, { type: '' }, ['missing body.event_type']],
    ['a type that is no text', { event_type_path: '$.type' }, { type: { a: 1 } }, ['string_type body.event_type']],
    ['a long type', { event_type_path: '$.type' }, { type: 'x'.repeat(257) }, ['string_too_long body.event_type']],
    ['a type that no column takes', { event_type_path: '$.type' }, { type: 'a\0b' }, ['value_error body.event_type']],
    ['a type with half a character', { event_type_path: '$.type' }, { type: 'a\ud800' }, ['value_error body.event_type']],
    ['no header of the type', { event_type_header: 'X-Topic' }, {}, ['missing body.event_type']],
    ['a long id', { external_id_path: '$.id' }, { id: 'x'.repeat(513) }, ['string_too_long body.external_id']],
    ['a long record key', { record_key_path: '$.id' }, { id: 'x'.repeat(257) }, ['string_too_long body.record_key']],
    ['no list to split', { split_path: '$.items' }, { items: {} }, ['list_type body.split_path']],
    ['no list whose elements are named', { split_path: '$.items[*]' }, { items: 5 }, ['list_type body.split_path']],
    ['nothing to split', { split_path: '$.items' }, {}, ['list_type body.split_path']],
    ['too many elements', { split_path: '$' }, Array.from({ length: maxElements + 1 }, () => ({})), ['too_long body.split_path']],
    ['elements without a type', { split_path: '$', event_type_path: '$.t' }, [{ t: 'a' }, {}, { t: 5 }], [
      'missing body.1.event_type', 'string_type body.2.event_type',
    ]],
    ['paths that walk a large body a thousand times', { split_path: '$.list', external_id_path: '$..c' }, {
      list: Array.from({ length: 1_000 }, () => ({ deep: Array.from({ length: 40 }, () => ({ a: {} })) })),
    }, ['value_error body']],
  ])('is refused: %s', (_title, config, body2, expected) => {
    expect(problemsOf(config, body2)).toEqual(expected);
  });

  test('lists a hundred problems at most', () => {
    const body2 = Array.from({ length: 500 }, () => ({}));
    expect(problemsOf({ split_path: '$', event_type_path: '$.t' }, body2)).toHaveLength(100);
  });
});

describe('a call of many events', () => {
  const body = { shop: 'north', kind: 'changed', items: [{ id: 1, kind: 'created' }, { id: 2 }] };
  const config: WebhookConfig = {
    split_path: '$.items', event_type_path: '$.kind', external_id_path: '$.id', dedupe_path: '$.id',
  };

  test('reads each element first, then the body', () => {
    expect(read(config, body)).toMatchObject({
      ok: true, isSplit: true,
      events: [
        { eventType: 'created', externalId: '1', payload: body.items[0], dedupe: '["value","1"]' },
        { eventType: 'changed', externalId: '2', payload: body.items[1], dedupe: '["value","2"]' },
      ],
    });
    expect(read(config, { items: [] })).toEqual({ ok: true, isSplit: true, events: [] });
  });

  test('reads the elements also where split_path names each of them', () => {
    const whole = read(config, body);
    expect(read({ ...config, split_path: '$.items[*]' }, body)).toEqual(whole);
    expect(read({ ...config, split_path: '$.items[*]' }, { items: [] })).toEqual({ ok: true, isSplit: true, events: [] });
  });

  test('a value of the whole call names each element by its place', () => {
    const dedupes = (...given: Parameters<typeof read>) => eventsOf(...given).map(({ dedupe }) => dedupe);
    const header = { 'x-delivery': 'd1' };
    expect(dedupes({ ...config, dedupe_path: undefined, dedupe_header: 'X-Delivery' } as WebhookConfig, body, header)).toEqual(
      ['["value","d1",0]', '["value","d1",1]'],
    );
    expect(dedupes({ ...config, dedupe_path: '$.shop' }, body)).toEqual(['["value","north",0]', '["value","north",1]']);
    expect(dedupes({ split_path: '$.items' }, body, {}, 'msg_1')).toEqual(['["call","msg_1",0]', '["call","msg_1",1]']);
  });

  test('what is signed with a time is named by its signature where nothing else names it', () => {
    const dedupe = (more: WebhookConfig, headers: CallHeaders = {}) => eventsOf(more, { id: 9 }, headers, 'sig')[0]!.dedupe;
    expect(dedupe({})).toBe('["call","sig"]');
    expect(dedupe({ dedupe_path: '$.id' })).toBe('["value","9"]');
    expect(dedupe({ dedupe_path: '$.other' })).toBe('["call","sig"]');
    expect(dedupe({ dedupe_header: 'X-Id' }, { 'x-id': 'a' })).toBe('["value","a"]');
    expect(dedupe({ dedupe_header: 'X-Id' })).toBe('["call","sig"]');
  });
});
