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

const select = { type: 'enumeration', field_type: 'select' };

test.each([
  [{}, null],
  [{ type: 'number', field_type: 'number' }, null],
  [{ type: 'enumeration', field_type: 'select', options: [{ value: 'a', label: 'A' }] }, null],
  [{ name: 'shop_id_2' }, null],
  [{ name: 'p'.repeat(100) }, null],
  [{ name: 'p'.repeat(101) }, /is no name of a property/],
  [{ name: 'Shop Id' }, /'Shop Id' is no name of a property: it must start with a small letter/],
  [{ name: 'shop-id' }, /is no name of a property/],
  [{ name: '2nd' }, /is no name of a property/],
  [{ ...select, options: [{ value: 'a', label: 'A' }, { value: 'a', label: 'B' }] }, /two options/],
  [{ ...select, options: [{ value: 'a', label: 'A' }, { value: 'A' }] }, /the label 'A'/],
  [{ type: 'colour' }, /unknown type 'colour'/],
  [{ type: 'number', field_type: 'text' }, /cannot have the field type 'text'/],
  [{ type: 'enumeration', field_type: 'select' }, /without options/],
])('%j: %p', (over, words) => {
  const problem = propertyProblem(property(over as Partial<RequiredProperty>));
  if (words === null) expect(problem).toBeNull();
  else expect(problem).toMatch(words);
});
