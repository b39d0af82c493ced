import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConfigDocument } from '@sluice/contracts';
import { until } from '@sluice/ports/testing';
import { bulkConfig } from '../test-support/bulk-config';
import { type LabEvent, runnerLab, type RunnerLab, secondConnector } from '../test-support/runner-lab';

/** Two connectors in one partition, and a runner that is also the only one of both: neither may stop the other. */
describe('a partition that connectors share', () => {
  let lab: RunnerLab;
  let destination: Server;
  let posts: number;

  beforeEach(async () => {
    posts = 0;
    destination = createServer((_request, response) => void setTimeout(() => {
      posts += 1;
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }, 200));
    await new Promise<void>((resolve) => { destination.listen(0, '127.0.0.1', resolve); });
  });
  afterEach(async () => {
    await lab.stop();
    destination.closeAllConnections();
    destination.close();
  });

  const configOf = (): ConfigDocument => ({
    ...bulkConfig,
    sources: [
      { name: 'event_api', type: 'event_api' },
      { name: 'erp', type: 'rest', config: { base_url: `http://127.0.0.1:${(destination.address() as AddressInfo).port}` } },
    ],
    flows: [
      {
        name: 'slow', source: 'event_api', event_type: 'slow',
        steps: [{ id: 'tell', action: 'post', target: 'erp', url: '/x', body: { n: '$.payload.n' } }],
      },
      {
        name: 'save', source: 'event_api', event_type: 'save',
        steps: [{ id: 'up', action: 'upsert', target: 'crm', entity: 'person' }],
      },
    ],
  });
  const save = (id: string, connector?: string): LabEvent => ({
    id: `evt_${id}`, type: 'save', record: ['person', `${id}@x.test`], payload: { email: `${id}@x.test`, name: id },
    ...(connector === undefined ? {} : { connector }),
  });
  const sendMany = async (count: number, eventOf: (n: number) => LabEvent): Promise<void> => {
    for (let at = 0; at < count; at += 500)
      await lab.send(Array.from({ length: Math.min(500, count - at) }, (_, n) => eventOf(at + n)));
  };
  const endedOf = (prefix: string): number =>
    new Set(lab.rows().filter(({ unit }) => unit.eventId.startsWith(`evt_${prefix}`)).map(({ unit }) => unit.eventId)).size;

  it('an event behind 6,000 serial events of another connector ends while these have hardly begun', async () => {
    lab = await runnerLab(configOf());
    await lab.addRunner();
    await sendMany(6_000, (n) => ({ id: `evt_a${n}`, type: 'slow', payload: { n } }));
    await lab.send([save('b', secondConnector)]);
    await until('the event behind them ended', () => endedOf('b') === 1, 30_000);
    // Reading is paused until 4,000 are unfinished no more: one after the other, that were 2,000 posts.
    expect(posts).toBeLessThan(500);
    const before = posts;
    await until('the backlog goes on', () => posts > before + 5);
  });

  it('keeps the order of a serial backlog that was moved to the held store behind its running head', async () => {
    lab = await runnerLab(configOf(), { maxBuffered: 20, maxPerConnector: 5 });
    await lab.addRunner();
    const bodies: number[] = [];
    // A backlog that is worked off is left alone: the first event gets no answer until some are held.
    let answers: () => void = () => undefined;
    const mayAnswer = new Promise<void>((resolve) => { answers = resolve; });
    destination.removeAllListeners('request');
    destination.on('request', (request, response) => {
      let text = '';
      request.on('data', (data) => { text += data; });
      request.on('end', () => void mayAnswer.then(() => {
        bodies.push((JSON.parse(text) as { n: number }).n);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      }));
    });
    await sendMany(120, (n) => ({ id: `evt_a${n}`, type: 'slow', payload: { n } }));
    await until('some are held', () => lab.store.held().some(({ reason }) => reason === 'backlog'));
    answers();
    await until('all ended', () => endedOf('a') === 120, 60_000);
    expect(bodies).toEqual(Array.from({ length: 120 }, (_, n) => n));
  });

  it('an event of another portal ends while 5,000 records of a portal wait for its first answer', async () => {
    lab = await runnerLab(configOf());
    lab.bindSecond(await lab.addPortal());
    await lab.addRunner();
    await lab.sim('POST', '/_sim/faults', { portal_id: 1_000_001, path: '/crm/', delay_ms: 9_000 });
    await sendMany(5_000, (n) => save(`a${n}`));
    await lab.send([save('b', secondConnector)]);
    await until('the event of the other portal ended', () => endedOf('b') === 1, 30_000);
    expect(endedOf('a')).toBe(0);
  });
});
