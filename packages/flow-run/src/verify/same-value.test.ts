import type { PropertyValue } from '@sluice/ports';
import { sameValue, type ValueRules } from './same-value';

const rules = (type: string, fieldType = 'text', more: Partial<ValueRules> = {}): ValueRules => ({
  name: 'p',
  type,
  fieldType,
  ...more,
});
const stages = ['subscriber', 'lead', 'customer'].map((value) => ({ label: value, value }));
const lifecycle = rules('enumeration', 'radio', { name: 'lifecyclestage', options: stages });

describe('what was sent is what the CRM holds', () => {
  test.each<[string, PropertyValue, string | null, ValueRules | null]>([
    ['a text', 'Ada', 'Ada', rules('string')],
    ['a text with blanks around it', ' Ada ', 'Ada', rules('string')],
    ['nothing', null, null, rules('string')],
    ['a cleared value', '', null, rules('string')],
    ['a number by its value', '1.50', '1.5', rules('number')],
    ['a number with an exponent', 1e21, '1000000000000000000000', rules('number')],
    ['a negative zero', '-0', '0', rules('number')],
    ['a day in milliseconds', 1_767_225_600_000, '2026-01-01', rules('date', 'date')],
    ['a time without a zone', '2026-01-01T00:00:00', '2026-01-01T00:00:00.000Z', rules('datetime', 'date')],
    ['a time in another zone', '2026-01-01T01:00:00+01:00', '2026-01-01T00:00:00.000Z', rules('datetime', 'date')],
    ['yes in capitals', 'TRUE', 'true', rules('bool', 'booleancheckbox')],
    ['yes as a value', true, 'true', rules('enumeration', 'booleancheckbox')],
    ['check boxes in another order', 'b;a', 'a;b', rules('enumeration', 'checkbox')],
    ['check boxes that were added', ';b', 'a;b', rules('enumeration', 'checkbox')],
    ['an e-mail address in capitals', 'Ada@Example.com', 'ada@example.com', rules('string', 'text', { name: 'email' })],
    ['a stage that has moved on', 'lead', 'customer', lifecycle],
    ['a number of an unknown property', 10, '10.0', null],
  ])('%s', (_name, expected, actual, given) => expect(sameValue(expected, actual, given)).toBe(true));
});

describe('what was sent is not what the CRM holds', () => {
  test.each<[string, PropertyValue, string | null, ValueRules | null]>([
    ['another text', 'Ada', 'ada', rules('string')],
    ['nothing for something', null, 'Ada', rules('string')],
    ['something for nothing', 'Ada', null, rules('string')],
    ['another number', '1.5', '1.51', rules('number')],
    ['a long number that differs at its end', '9007199254740993', '9007199254740992', rules('number')],
    ['another day', '2026-01-02', '2026-01-01', rules('date', 'date')],
    ['another second', '2026-01-01T00:00:01Z', '2026-01-01T00:00:00.000Z', rules('datetime', 'date')],
    ['an option in other case', 'Gold', 'gold', rules('enumeration', 'select')],
    ['one check box more', 'a', 'a;b', rules('enumeration', 'checkbox')],
    ['one check box less', 'a;b', 'a', rules('enumeration', 'checkbox')],
    ['a stage that is further back', 'customer', 'lead', lifecycle],
  ])('%s', (_name, expected, actual, given) => expect(sameValue(expected, actual, given)).toBe(false));
});
