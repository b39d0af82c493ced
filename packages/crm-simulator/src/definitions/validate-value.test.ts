import { propertyDefinition, type PropertyDefinition } from '../stores/property-definition';
import { checkValue, parseTime } from './validate-value';

const define = (more: Partial<PropertyDefinition>) =>
  propertyDefinition({ name: 'p', type: 'string', fieldType: 'text', groupName: 'g', createdAt: 0, ...more });
const options = ['a', 'b'].map((value, displayOrder) => ({ label: value, value, displayOrder, hidden: false }));

it.each([
  [{ type: 'number' }, ' 12.50 ', '12.50'],
  [{ type: 'number' }, '-1e3', '-1e3'],
  [{ type: 'date' }, '2024-02-29', '2024-02-29'],
  [{ type: 'date' }, '1709164800000', '2024-02-29'],
  [{ type: 'date' }, '2024-02-29T00:00:00Z', '2024-02-29'],
  [{ type: 'datetime' }, '2024-02-29T12:00:00+02:00', '2024-02-29T10:00:00.000Z'],
  [{ type: 'datetime' }, '2024-02-29', '2024-02-29T00:00:00.000Z'],
  [{ type: 'bool' }, 'TRUE', 'true'],
  [{ type: 'enumeration', options }, 'a', 'a'],
  [{ type: 'enumeration', fieldType: 'checkbox', options }, 'a;b', 'a;b'],
  [{ rule: 'email' as const }, ' A@X.co ', 'a@x.co'],
  [{ type: 'enumeration', externalOptions: true }, 'anything', 'anything'],
])('%j accepts %s as %s', (more, text, value) => {
  expect(checkValue(define(more), text)).toEqual({ value });
});

it.each([
  [{ type: 'number' }, '1,000', 'INVALID_NUMBER'],
  [{ type: 'number' }, 'abc', 'INVALID_NUMBER'],
  [{ type: 'date' }, '2023-02-29', 'INVALID_DATE'],
  [{ type: 'date' }, '1635535865', 'INVALID_DATE'],
  [{ type: 'datetime' }, 'yesterday', 'INVALID_DATE'],
  [{ type: 'bool' }, 'yes', 'INVALID_OPTION'],
  [{ type: 'enumeration', options }, 'A', 'INVALID_OPTION'],
  [{ type: 'enumeration', fieldType: 'checkbox', options }, 'a;c', 'INVALID_OPTION'],
  [{ rule: 'email' as const }, 'a@b', 'INVALID_EMAIL'],
  [{}, 'x'.repeat(65_537), 'INVALID_STRING'],
])("%j refuses a wrong value with the CRM's code (%#)", (more, text, code) => {
  expect(checkValue(define(more), text)).toMatchObject({ code });
});

it('reads days, ISO times and epoch ms, nothing else', () => {
  expect([parseTime('2026-01-01'), parseTime('2026-01-01T00:00:00Z'), parseTime('1767225600000')]).toEqual([
    1_767_225_600_000, 1_767_225_600_000, 1_767_225_600_000,
  ]);
  expect([parseTime('2026-13-01'), parseTime('2026-01-01 10:00'), parseTime('')]).toEqual([undefined, undefined, undefined]);
});
