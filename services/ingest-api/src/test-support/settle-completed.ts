import { aConnector } from '@sluice/connector-feed/testing';
import type { MemoryRunStore } from '@sluice/ports/testing';

/** A completed row of the event, as the runner writes it now. */
export async function settleCompleted(store: MemoryRunStore, eventId: string): Promise<void> {
  const connector = aConnector();
  const owned = await store.ownership.acquire({ topic: 't', partition: 0 }, { owner: 'o', leaseMs: 60_000, graceMs: 0 });
  if (!owned.acquired) throw new Error('not acquired');
  const at = new Date().toISOString();
  const unit = { eventId, entityIndex: 0, run: 'first' };
  await store.settle([
    {
      lease: { topic: 't', partition: 0, epoch: owned.epoch },
      offset: 0n,
      unit,
      connectorId: connector.connector_id,
      mappings: [],
      mappingsRemoved: [],
      recordWrites: [],
      claimsDone: [],
      claimsReleased: [], conflicts: [],
      verdict: {
        kind: 'rows',
        rows: [
          {
            id: '5f0c1c9e-0000-4000-8000-00000000000a',
            organizationId: connector.organization_id,
            connectorId: connector.connector_id,
            unit,
            flowName: 'orders',
            sourceName: 's',
            eventType: 'order.created',
            entityName: 'order',
            externalId: '1',
            action: 'upsert',
            stepId: 's1',
            status: 'completed',
            error: null,
            errorKind: null,
            errorCode: null,
            reason: null,
            crmId: '77',
            attempts: 1,
            replayable: false,
            configVersion: 1,
            createdAt: at,
            completedAt: at,
            steps: [],
          },
        ],
      },
    },
  ]);
}
