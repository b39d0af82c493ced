import { planUsage } from './plan-usage';

const eventsUsed = async (facts: { indexed: number; reserved: number; counted: number | null }): Promise<number> => {
  const usage = await planUsage(
    {
      eventIndex: { acceptedSince: async () => facts.indexed, reservedSince: async () => facts.reserved },
      quota: { counted: async () => facts.counted },
      store: {
        organizations: { usage: async () => ({ connectors: 0, eventSources: 0, seats: 1, portals: 0 }),
          objectTypes: async () => [] },
      } as never,
    },
    'organization', new Date(),
  );
  return usage.events_used_this_period;
};

test('an event counts as used as soon as the quota has counted it, before the index has it', async () => {
  expect(await eventsUsed({ indexed: 1, reserved: 0, counted: 3 })).toBe(3);
});

test('rows that imports have reserved and not written are not used', async () => {
  expect(await eventsUsed({ indexed: 2, reserved: 6, counted: 10 })).toBe(4);
});

test('the index counts where the quota does not: no limit, or a counter that was lost', async () => {
  expect(await eventsUsed({ indexed: 5, reserved: 0, counted: null })).toBe(5);
  expect(await eventsUsed({ indexed: 5, reserved: 0, counted: 2 })).toBe(5);
});
