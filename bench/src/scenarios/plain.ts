import type { PlainConsumerCalls } from '../plain/consumer';
import { createPlainTopic } from '../plain/create-plain-topic';
import type { ExpressServerCalls } from '../plain/express-server';
import type { LoadPlan } from '../load/load-plan';
import { startChild } from '../child';
import { crmLatencyMs } from './bench-lab';
import { atLeast, type Scenario } from './scenario';

const topic = 'plain.events';
const partitions = 24;

const planOf = (url: string, requests: number): LoadPlan => ({
  url,
  path: '/api/v1/events',
  keys: ['none'],
  senders: 50,
  shape: 'data',
  perRequest: 1,
  prefix: 'plain',
  requests,
  updates: 1,
  durationMs: null,
  rate: null,
});

/** The simplest implementation, end to end: a produce per request, then one CRM call per record, all partitions at once. */
export const plain: Scenario = {
  name: 'plain',
  words: 'a produce per request and one CRM call per record, end to end',
  usesBroker: true,
  run: async ({ stack, scale, earlier }) => {
    const portal = await stack.crm.addPortal(crmLatencyMs);
    await createPlainTopic(stack.brokers, topic, partitions);
    const server = startChild<ExpressServerCalls>('plain/express-server');
    const consumer = startChild<PlainConsumerCalls>('plain/consumer');
    try {
      const { url } = await server.call('start', { brokers: stack.brokers, topic });
      await consumer.call('start', {
        brokers: stack.brokers,
        topic,
        partitions,
        crmUrl: stack.crm.url,
        accessToken: portal.accessToken,
      });
      const records = Math.round(3_000 * scale);
      const load = await stack.load(planOf(url, records));
      const deadline = performance.now() + 120_000;
      while (((await portal.stats()).records_written['contacts'] ?? 0) < load.accepted && performance.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 200));
      const contacts = await portal.contacts();
      const last = Math.max(...contacts.flatMap(({ write_log: log }) => log.map(({ at }) => Date.parse(at))));
      const perSecond = contacts.length / ((last - load.firstAcceptAt) / 1000);
      const { calls } = await portal.stats();
      const ours = ['e2e', 'e2e-data'].flatMap((name) =>
        earlier[name] ? [{ name, perSecond: Number(earlier[name].rows[0]!['records/s']) }] : [],
      );
      return {
        title: 'plain: express, a produce per request, one CRM call per record, 24 at once',
        rows: [
          {
            records: contacts.length,
            'records/s': perSecond,
            'calls/record': calls / contacts.length,
            ...Object.fromEntries(ours.map((one) => [`${one.name} x plain`, one.perSecond / perSecond])),
          },
        ],
        holds: ours.map((one) => atLeast(`${one.name} against the plain way`, one.perSecond / perSecond, 1)),
      };
    } finally {
      await Promise.all([server.stop(), consumer.stop()]);
    }
  },
};
