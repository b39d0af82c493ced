import type { RequiredProperty } from '@sluice/config-model';
import { propertyProblem } from './check-property';

const property = (over: Partial<RequiredProperty>): RequiredProperty => ({
  name: 'p',
  type: 'string',
  field_type: 'text',
  label: 'P',
  options: [],
  identity: false,
  ...over,
});

test.each([
  [{}, null],
  [{ type: 'number', field_type: 'number' }, null],
  [{ type: 'enumeration', field_type: 'select', options: [{ value: 'a', label: 'A' }] }, null],
  [{ type: 'colour' }, /unknown type 'colour'/],
  [{ type: 'number', field_type: 'text' }, /cannot have the field type 'text'/],
  [{ type: 'enumeration', field_type: 'select' }, /without options/],
])('%j: %p', (over, words) => {
  const problem = propertyProblem(property(over as Partial<RequiredProperty>));
  if (words === null) expect(problem).toBeNull();
  else expect(problem).toMatch(words);
});
