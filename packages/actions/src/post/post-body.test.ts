import { compileEntity, eventContext } from '@sluice/flow-engine';
import { canonicalContact, contactEntity } from '../shared/order-examples';
import { postBody } from './post-body';

const entities = new Map([canonicalContact, { ...contactEntity, name: 'crm_only' }].map((one) => [one.name, compileEntity(one)]));
const base = eventContext({ payload: { email: 'ada@example.com' }, event_type: 't', connector_id: 'c' });
const ctx = { ...base, canonical: { email: 'a@b.c' } };
const bodyOf = (config: Partial<Parameters<typeof postBody>[0]>) => postBody({ target: 'erp', ...config }, entities, ctx);

describe('what a post sends', () => {
  it('a body beats the projection of the entity, also one that is null', () => {
    expect(bodyOf({ entity: 'contact', body: { a: 1 } })).toEqual({ ok: true, body: { a: 1 } });
    expect(bodyOf({ entity: 'contact', body: null })).toEqual({ ok: true, body: null });
  });

  it('without one the projection by the schema named like the destination', () => {
    expect(bodyOf({ entity: 'contact' })).toEqual({ ok: true, body: { mail_address: 'a@b.c' } });
    expect(bodyOf({ entity: 'contact', target: 'newsletter' })).toEqual({ ok: true, body: { address: 'ada@example.com' } });
  });

  it('nothing with GET, and nothing without either', () => {
    expect(bodyOf({ entity: 'contact', body: { a: 1 }, method: 'GET' })).toEqual({ ok: true, body: undefined });
    expect(bodyOf({})).toEqual({ ok: true, body: undefined });
  });

  it('an entity without a schema for the destination fails permanently', () => {
    const failure = (code: string) => ({ ok: false, outcome: { kind: 'fail', failure: { kind: 'permanent', code } } });
    expect(bodyOf({ entity: 'crm_only' })).toMatchObject(failure('unknown_schema'));
    expect(bodyOf({ entity: 'contact', target: 'shop' })).toMatchObject(failure('unknown_schema'));
    expect(bodyOf({ entity: 'nobody' })).toMatchObject(failure('unknown_entity'));
  });
});
