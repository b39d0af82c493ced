import type { Step } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { labConnector } from '../../test-support/runner-lab';
import {
  answers, configOf, crm, emails, ended, held, lab, people, post, refuse, run, save, seen, send, shareAttemptsLab, start,
} from './test-support/attempts-lab';

/** What happens between the attempts of an event, and what the second one knows of the first. */
describe('between two attempts of an event', () => {
  shareAttemptsLab();

  describe('its connector is bound to another portal', () => {
    it('all of its list is written to the new portal, and nothing to a record there that only has the same id', async () => {
      const mark: Step = {
        id: 'mark', action: 'update_by_id', target: 'crm', object_type: 'contacts',
        object_id: '$save.results[0].crm_id', data: { jobtitle: 'VIP' },
      };
      await start([save, mark]);
      const portal = await lab.addPortal();
      await refuse('contacts/batch/upsert', 'bad@');
      await send({ people });
      await held('one item has ended', ({ keptSteps }) => keptSteps?.save?.items.length === 1);
      await lab.rebind(portal);
      await lab.sim('DELETE', '/_sim/faults');
      expect((await ended()).map(({ status }) => status)).not.toContain('failed');
      expect(await emails(portal)).toEqual([['bad@x.test', null], ['good@x.test', 'VIP']]);
    });

    it('a call under way to the old portal does not end it: it runs again on the new one', async () => {
      await start([crm('up', 'upsert')]);
      const portal = await lab.addPortal();
      await lab.sim('POST', '/_sim/faults', { path: 'contacts/batch/upsert', delay_ms: 800, times: 1 });
      await send({ email: 'a@x.test', name: 'a' });
      await until('the call is under way', async () => (await lab.sim('GET', '/_sim/stats')).highest_concurrency > 0);
      await lab.rebind(portal);
      const [row] = await ended();
      const [record] = await lab.records('contacts', portal);
      expect(row).toMatchObject({ status: 'completed', crmId: record!.id });
      const key = { connectorId: labConnector, entity: 'person', externalId: 'a@x.test' };
      expect(await lab.store.mappings([key])).toMatchObject([{ portalId: portal, crmId: record!.id }]);
    });

    it('while its last call goes to the old portal: a receiver is told once', async () => {
      const ring: Step = { id: 'ring', action: 'notify', target: 'erp', url: '/ring', message: 'new {$.payload.email}' };
      await start([ring, crm('up', 'upsert')]);
      const portal = await lab.addPortal();
      await lab.sim('POST', '/_sim/faults', { path: 'contacts/batch/upsert', delay_ms: 800, times: 1 });
      await send({ email: 'a@x.test', name: 'a' });
      await until('the call is under way', async () => (await lab.sim('GET', '/_sim/stats')).highest_concurrency > 0);
      await lab.rebind(portal);
      expect(await ended()).toMatchObject([{ status: 'completed' }]);
      expect(seen.map(({ path }) => path)).toEqual(['/ring']);
      expect(await emails(portal)).toEqual([['a@x.test', null]]);
    });

    it('no id of the old portal goes anywhere', async () => {
      const mark: Step = {
        id: 'mark', action: 'update_by_id', target: 'crm', object_type: 'contacts', object_id: '$up.crm_id',
        data: { jobtitle: 'VIP' },
      };
      await start([crm('up', 'upsert'), mark]);
      const portal = await lab.addPortal();
      await refuse('contacts/batch/update');
      await send({ email: 'a@x.test', name: 'a' });
      await held('it wrote', ({ wrote }) => wrote);
      await lab.rebind(portal);
      await lab.sim('DELETE', '/_sim/faults');
      await ended();
      expect(await emails(portal)).toEqual([['a@x.test', 'VIP']]);
    });

    it('what it wrote to the old portal does not make it half done in the new one', async () => {
      await start([crm('up', 'upsert'), post('/tell', { a: 1 })]);
      const portal = await lab.addPortal();
      answers['/tell'] = [503, 503];
      await send({ email: 'a@x.test', name: 'a' });
      await held('it wrote', ({ wrote }) => wrote);
      await lab.sim('POST', '/_sim/faults', { portal_id: Number(portal), path: 'contacts/batch', status: 503 });
      await lab.rebind(portal);
      expect(await ended()).toMatchObject([{ status: 'parked' }]);
    });
  });

  describe('another version is published', () => {
    const publishBetween = async (first: Step, second: Step, path: string) => {
      await start([first]);
      await refuse(path, 'bad@');
      await send({ people });
      await held('one item has ended', ({ keptSteps }) => keptSteps?.save?.items.length === 1);
      await lab.publish(configOf([second]));
      await lab.sim('DELETE', '/_sim/faults');
      return ended();
    };

    it('a list step that writes another entity writes every element', async () => {
      const rows = await publishBetween(save, { ...save, entity: 'lead' }, 'contacts/batch/upsert');
      expect((await lab.records('companies')).map(({ properties }) => properties.domain).sort()).toEqual(['bad@x.test',
        'good@x.test']);
      expect(rows.map(({ entityName, status }) => [entityName, status])).toEqual([['lead', 'completed'], ['lead', 'completed']]);
    });

    it('a list step of another action runs for every element', async () => {
      await publishBetween(save, { ...save, action: 'delete_many', external_id: '$._item.email' }, 'contacts/batch/upsert');
      expect((await lab.records('contacts')).map(({ properties, archived }) =>
        [properties.email, archived])).toEqual([['good@x.test', true]]);
    });

    it('a list step that is the same writes no element twice', async () => {
      await publishBetween(save, { ...save, note: 'unknown keys are kept' }, 'contacts/batch/upsert');
      expect((await lab.records('contacts')).map(({ writes }) => writes)).toEqual([1, 1]);
    });

    it.each([
      ['disabled', () => configOf([crm('up', 'upsert')], false), 'flow_disabled'],
      ['gone', () => ({ ...configOf([]), flows: [] }), 'no_flow_matched'],
    ])('and its flow is %s: it ends half done and may be replayed', async (_, next, reason) => {
      await start([crm('up', 'upsert'), post('/tell', { a: 1 })]);
      answers['/tell'] = [503, 503, 503, 503];
      await send({ email: 'a@x.test', name: 'a' });
      await held('it wrote', ({ wrote }) => wrote);
      await lab.publish(next());
      const [record] = await lab.records('contacts');
      expect(await ended()).toMatchObject([
        { status: 'partial_success', replayable: true, reason, crmId: record!.id, externalId: 'a@x.test', action: 'upsert' },
      ]);
    });
  });

  it('its connector is deleted after it wrote: it ends half done', async () => {
    await start([crm('up', 'upsert'), post('/tell', { a: 1 })]);
    answers['/tell'] = [503, 503, 503, 503];
    await send({ email: 'a@x.test', name: 'a' });
    await held('it wrote', ({ wrote }) => wrote);
    await lab.change({ deleted: true });
    expect(await ended()).toMatchObject([{ status: 'partial_success', replayable: true, reason: 'connector_deleted' }]);
  });

  it.each([
    ['wrote', 503, { status: 'partial_success', reason: 'expired', crmId: expect.any(String) }],
    ['did not write', 0, { status: 'dlq', reason: 'expired', crmId: null }],
  ])('it expires, having waited, and %s', async (_, ofErp, row) => {
    const expiresAfterMs = 60_000;
    await start([crm('up', 'upsert'), post('/tell', { a: 1 })], expiresAfterMs, 1_000);
    answers['/tell'] = Array<number>(1_000).fill(503);
    if (ofErp === 0) await refuse('contacts/batch/upsert');
    // In a moment it is too old.
    const acceptedAt = new Date(Date.now() - expiresAfterMs + 4_000).toISOString();
    await lab.send([{ id: 'evt_1', type: 'f', payload: { email: 'a@x.test', name: 'a' }, acceptedAt }]);
    expect(await ended()).toMatchObject([{ ...row, replayable: true }]);
  });

  describe('the second attempt sees what the first one found and did', () => {
    const repeated = (path: string): unknown[] => seen.filter((one) => one.path === path).map(({ body }) => body);

    it('a record that the event created was created', async () => {
      const isNew = { when: { equals: { path: '$up.created', value: true } } };
      await start([crm('up', 'upsert'), post('/welcome', { to: '$.payload.email' }, isNew)]);
      answers['/welcome'] = [503];
      await run({ email: 'a@x.test', name: 'a' });
      expect(repeated('/welcome')).toHaveLength(2);
      expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    });

    it('a search that found nothing, and the create that followed', async () => {
      const missing = { when: { not: { found: 'look' } } };
      await start([
        crm('look', 'find', { match: { email: '$.payload.email' } }),
        crm('make', 'create', missing),
        post('/tell', { id: '$make.crm_id', isNew: '$make.created' }, missing),
      ]);
      answers['/tell'] = [503];
      await run({ email: 'a@x.test', name: 'a' });
      const [record] = await lab.records('contacts');
      expect(repeated('/tell')).toEqual([{ id: record!.id, isNew: true }, { id: record!.id, isNew: true }]);
    });

    it('a create without an answer, whose search found nothing', async () => {
      const missing = { when: { not: { found: 'look' } } };
      await start([
        crm('look', 'find', { match: { email: '$.payload.email' } }),
        crm('make', 'create', missing),
        post('/tell', { isNew: '$make.created' }, missing),
      ]);
      await lab.sim('POST', '/_sim/faults', { path: 'contacts/batch/create', after_write: true, drop: true, times: 1 });
      await run({ email: 'a@x.test', name: 'a' });
      expect(repeated('/tell')).toEqual([{ isNew: true }]);
    });

    it('a deletion and its id', async () => {
      await start([crm('gone', 'delete'), post('/deleted', { crm_id: '$gone.crm_id', deleted: '$gone.deleted' })]);
      await lab.send([{ id: 'evt_0', type: 'before', payload: { people } }]);
      await ended('evt_0');
      answers['/deleted'] = [503];
      await run({ email: 'good@x.test' });
      expect(repeated('/deleted')).toEqual(
        [{ crm_id: expect.any(String), deleted: true }, { crm_id: expect.any(String), deleted: true }],
      );
    });

    it('a query, what was done to its rows, and the rows of the list', async () => {
      await start([
        crm('look', 'query', { filters: [{ property: 'firstname', operator: 'EQ', value: 'good' }], properties: ['email'] }),
        crm('mark', 'update_many', { items: '$.payload.people', when: { gt: { path: '$look.total', value: 0 } } }),
        post('/report', { found: '$look.total', done: '$mark.succeeded' }),
      ]);
      await lab.send([{ id: 'evt_0', type: 'before', payload: { people } }]);
      await ended('evt_0');
      answers['/report'] = [503];
      const rows = await run({ people: people.map(({ email }) => ({ email, name: 'done' })) });
      expect(repeated('/report')).toEqual([{ found: 1, done: 2 }, { found: 1, done: 2 }]);
      expect(rows.filter(({ item }) => item).map(({ status }) => status)).toEqual(['completed', 'completed']);
    });

    it('a search is made again while nothing was changed', async () => {
      const missing = { when: { not: { found: 'look' } } };
      await start([crm('look', 'find', { match: { email: '$.payload.email' } }), crm('make', 'create', missing)]);
      await lab.sim('POST', '/_sim/faults', { path: 'contacts/batch/create', status: 429, times: 1 });
      await send({ email: 'a@x.test', name: 'a' });
      await held('it waits', () => true);
      const edit = { portal_id: 1000001, object_type: 'contacts', action: 'create', properties: { email: 'a@x.test' } };
      await lab.sim('POST', '/_sim/edits', edit);
      const [row] = await ended();
      expect(row!.steps.map(({ id, status }) => [id, status])).toEqual([['look', 'ok'], ['make', 'skipped']]);
    });

    it('an answer of a destination that gives another one the second time', async () => {
      await start([post('/first', { n: 1 }), post('/second', { id: '$first.body.id', status: '$first.status' })]);
      answers['/first'] = [200, 201];
      answers['/second'] = [503];
      await run({});
      expect(repeated('/first')).toHaveLength(2);
      expect(repeated('/second')).toEqual([{ id: 'x1', status: 200 }, { id: 'x1', status: 200 }]);
    });

    it('a record that is gone and was made anew is told as it is now', async () => {
      const mark: Step = {
        id: 'mark', action: 'update_by_id', target: 'crm', object_type: 'contacts', object_id: '$up.crm_id',
        data: { jobtitle: 'VIP' },
      };
      await start([crm('up', 'upsert'), mark]);
      await refuse('contacts/batch/update');
      await send({ email: 'a@x.test', name: 'a' });
      await held('it wrote', ({ wrote }) => wrote);
      const [first] = await lab.records('contacts');
      await lab.sim('POST', '/_sim/edits', { portal_id: 1000001, object_type: 'contacts', action: 'delete', id: first!.id });
      await lab.sim('DELETE', '/_sim/faults');
      await ended();
      const alive = (await lab.records('contacts')).filter(({ archived }) => !archived);
      expect(alive.map(({ properties }) => properties.jobtitle ?? null)).toEqual(['VIP']);
    });
  });

  it('a receiver is told once, also when the database was away before the attempt ended', async () => {
    const ring: Step = { id: 'ring', action: 'notify', target: 'erp', url: '/ring', message: 'new {$.payload.email}' };
    await start([ring, crm('up', 'upsert')]);
    lab.loseTokenReads(2);
    expect(await run({ email: 'a@x.test', name: 'a' })).toMatchObject([{ status: 'completed', attempts: 1 }]);
    expect(seen.map(({ path }) => path)).toEqual(['/ring']);
  });

  it('a receiver is told once per event, however often later steps are tried', async () => {
    const ring: Step = { id: 'ring', action: 'notify', target: 'erp', url: '/ring', message: 'new {$.payload.email}' };
    await start([ring, post('/tell', { a: 1 })]);
    answers['/tell'] = [503, 503, 503];
    await run({ email: 'a@x.test' });
    expect(seen.map(({ path }) => path)).toEqual(['/ring', '/tell', '/tell', '/tell', '/tell']);
  });
});
