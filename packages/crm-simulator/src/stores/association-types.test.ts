import { standardTypes } from '../model/object-types';
import { AssociationTypes, standardAssociationTypes } from './association-types';

const of = (from: string, to: string) =>
  new AssociationTypes()
    .between(from, to)
    .map((type) => type.typeId)
    .sort((a, b) => a - b);

it.each([
  ['0-1', '0-2', [1, 279]],
  ['0-2', '0-1', [2, 280]],
  ['0-3', '0-2', [5, 341]],
  ['0-2', '0-3', [6, 342]],
  ['0-2', '0-5', [25, 340]],
  ['0-5', '0-2', [26, 339]],
  ['0-3', '0-1', [3]],
  ['0-1', '0-3', [4]],
  ['0-1', '0-5', [15]],
  ['0-3', '0-5', [27]],
  ['0-3', '0-8', [19]],
  ['0-1', '0-1', [449]],
  ['0-2', '0-2', [13, 14, 450]],
  ['0-46', '0-1', [202]],
  ['0-1', '0-46', [201]],
  ['0-46', '0-5', [228]],
  ['0-27', '0-3', [216]],
  ['0-48', '0-2', [182]],
  ['0-49', '0-5', [224]],
  ['0-47', '0-1', [200]],
  ['0-18', '0-2', [87]],
  ['0-14', '0-3', [64]],
  ['0-123', '0-3', [512]],
  ['0-53', '0-1', [177]],
  ['0-69', '0-8', [301]],
  ['0-136', '0-1', [578, 608]],
  ['0-7', '0-3', []],
])('%s to %s has the types %j', (from, to, ids) => {
  expect(of(from, to)).toEqual(ids);
});

it('has an inverse for every type, one default per pair, and only known object types', () => {
  const types = new AssociationTypes();
  const known = new Set(standardTypes.map((type) => type.id));
  for (const type of standardAssociationTypes) {
    expect(types.get(type.to, type.from, type.inverseId)?.inverseId).toBe(type.typeId);
    expect(types.between(type.from, type.to).filter((one) => one.isDefault)).toHaveLength(1);
    expect(known.has(type.from) && known.has(type.to)).toBe(true);
  }
});

it('gives labels ids of their own, paired ones two', () => {
  const types = new AssociationTypes();
  const [forth, back] = types.define({
    from: '0-1',
    to: '0-2',
    label: 'Buyer',
    inverseLabel: 'Bought from',
    name: 'buyer',
    isDefault: false,
  });
  expect(types.get('0-2', '0-1', back!.typeId)).toMatchObject({
    label: 'Bought from',
    inverseId: forth!.typeId,
    category: 'USER_DEFINED',
  });
  expect(types.define({ from: '0-1', to: '0-1', label: 'Friend', name: 'friend', isDefault: false })).toHaveLength(1);
  types.remove(forth!);
  expect(types.get('0-2', '0-1', back!.typeId)).toBeUndefined();
});
