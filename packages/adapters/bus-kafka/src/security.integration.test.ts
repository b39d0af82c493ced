import type { EventBus } from '@sluice/ports';
import { until } from '@sluice/ports/testing';
import { describeWithKafka, type KafkaUser, startKafka, type TestKafka } from '@sluice/testkit';
import { createKafkaBus } from './create-kafka-bus';
import type { KafkaBusOptions } from './client/kafka-bus-options';

const users: KafkaUser[] = [
  { mechanism: 'plain', username: 'peter', password: 'plain-pass' },
  { mechanism: 'scram-sha-256', username: 'paula', password: 'scram-256-pass' },
  { mechanism: 'scram-sha-512', username: 'petra', password: 'scram-512-pass' },
];
const topic = { name: 'secured', partitions: 1, cleanup: 'delete', retentionMs: 3_600_000 } as const;

/** Managed Kafka: TLS with a certificate that must be trusted, and users. */
describeWithKafka('the bus on a Kafka with TLS and SASL', () => {
  let kafka: TestKafka;
  const buses: EventBus[] = [];
  beforeAll(async () => { kafka = await startKafka({ users }); }, 240_000);
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    await kafka.stop();
  });

  const open = (options: Partial<KafkaBusOptions>): EventBus => {
    const bus = createKafkaBus({
      brokers: [kafka.secured!.broker],
      clientId: 'secured',
      ssl: { ca: kafka.secured!.ca },
      requestTimeoutMs: 5_000,
      ...options,
    });
    buses.push(bus);
    return bus;
  };

  it.each(users)(
    'accepts $username with $mechanism: publishes, reads in a group, follows, counts',
    async ({ mechanism, username, password }) => {
      const bus = open({ sasl: { mechanism, username, password } });
      await bus.ensureTopics([topic]);
      expect(await bus.publish(topic.name, 0, [{ key: 'k', value: Buffer.from(username) }])).toEqual({ ok: true });
      const [read, followed]: [string[], string[]] = [[], []];
      const subscription = await bus.subscribe({
        topic: topic.name,
        group: username,
        fromStart: true,
        handlers: {
          assigned: () => undefined,
          revoked: () => undefined,
          messages: (_partition, messages) => void read.push(...messages.map(({ value }) => String(value))),
        },
      });
      await until('the message', () => read.includes(username));
      const follower = await bus.follow({
        topic: topic.name,
        onMessages: (messages) => void followed.push(...messages.map(({ value }) => String(value))),
      });
      await follower.caughtUp;
      expect(followed).toContain(username);
      expect((await bus.lag(topic.name, username))[0]!.end).toBeGreaterThan(0n);
      expect(bus.healthy()).toBe(true);
      await Promise.all([subscription.stop(), follower.stop()]);
    },
  );

  it.each<[string, Partial<KafkaBusOptions>]>([
    ['a wrong password', { sasl: { mechanism: 'scram-sha-512', username: 'petra', password: 'guessed' } }],
    ['an unknown user', { sasl: { mechanism: 'plain', username: 'nobody', password: 'plain-pass' } }],
    ['no user', {}],
    ['a certificate that is not trusted', { ssl: true, sasl: { mechanism: 'plain', username: 'peter', password: 'plain-pass' } }],
    ['no TLS', { ssl: false, sasl: { mechanism: 'plain', username: 'peter', password: 'plain-pass' } }],
  ])('cannot connect with %s, and answers refused, not unknown', async (_words, options) => {
    const bus = open(options);
    await expect(bus.ensureTopics([topic])).rejects.toThrow();
    expect(bus.healthy()).toBe(false);
    const outcome = await bus.publish(topic.name, 0, [{ key: 'k', value: Buffer.from('never') }]);
    expect(outcome).toMatchObject({ ok: false, outcome: 'refused' });
    expect(JSON.stringify(outcome)).not.toMatch(/guessed|-pass/);
  });
});
