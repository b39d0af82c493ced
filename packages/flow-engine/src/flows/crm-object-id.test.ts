import type { Entity } from '@sluice/contracts/config-document';
import { compileEntity } from './compiled-entity';
import { aContext } from '../testing/a-context';

const entityWith = (crm: object, erp: object = {}, more: object = {}): Entity => ({
  name: 'contact',
  schemas: { crm, erp },
  ...more,
});

describe('the CRM id of the record that an event is about', () => {
  it.each<[string, Entity, unknown, string | null]>([
    ['is read at identity_source_path of the schema', entityWith({}, { identity_source_path: '$.payload.id' }), { id: 7 }, '7'],
    [
      'else at that of the schema crm',
      entityWith({ identity_source_path: '$.payload.event.objectId' }),
      { event: { objectId: '8' } },
      '8',
    ],
    ['else at $.payload.object.id', entityWith({}), { object: { id: '501' }, objectId: '1' }, '501'],
    ['or at $.payload.objectId', entityWith({}), { objectId: 502 }, '502'],
    [
      'below the payload_root',
      entityWith({ identity_source_path: '$.payload.id' }, {}, { payload_root: '$.payload.event' }),
      { event: { id: '9' } },
      '9',
    ],
    [
      'only at the path if one is given',
      entityWith({ identity_source_path: '$.payload.ref' }),
      { object: { id: '501' } },
      null,
    ],
    ['a blank id counts as none', entityWith({}), { object: { id: ' ' } }, null],
  ])('%s', (_, entity, payload, id) => {
    expect(compileEntity(entity).crmObjectId(aContext(payload), 'erp')).toBe(id);
  });
});
