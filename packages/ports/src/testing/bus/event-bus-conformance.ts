import { randomUUID } from 'node:crypto';
import type { EventBus } from '../../event-bus';
import type { BusLab } from './bus-lab';
import type { BusSuite } from './bus-suite';
import { deliveryTests } from './event-bus-delivery-tests';
import { failureTests } from './event-bus-failure-tests';
import { groupTests } from './event-bus-group-tests';
import { publishTests } from './event-bus-publish-tests';
import { removalTests } from './event-bus-removal-tests';
import { rewindTests } from './event-bus-rewind-tests';

/**
 * What every event bus must do. Call it at the top level of a test file.
 * @param makeLab called once; brings the log up
 */
export function eventBusConformance(name: string, makeLab: () => Promise<BusLab>): void {
  describe(`${name} is an event bus`, () => {
    let lab: BusLab;
    let opened: EventBus[] = [];
    beforeAll(async () => {
      lab = await makeLab();
    });
    afterEach(async () => {
      await Promise.all(opened.map((bus) => bus.close()));
      opened = [];
    });
    afterAll(() => lab.close());

    const suite: BusSuite = {
      lab: () => lab,
      open: async (options) => {
        const bus = await lab.open(options);
        opened.push(bus);
        return bus;
      },
      topic: async (bus, settings) => {
        const topic = `test.${randomUUID()}`;
        await bus.ensureTopics([{ name: topic, partitions: 4, cleanup: 'delete', retentionMs: 3_600_000, ...settings }]);
        return topic;
      },
    };
    publishTests(suite);
    deliveryTests(suite);
    failureTests(suite);
    groupTests(suite);
    removalTests(suite);
    rewindTests(suite);
  });
}
