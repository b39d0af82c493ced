import type { CallResult, CrmResult } from '@sluice/ports';
import { failpoint } from '@sluice/service-kit';
import type { Activity } from './activity';
import { runBatch } from './batch-outcome';
import { callContextOf } from './call-context';
import { createCoalescerFamily } from './coalescer-family';
import { forOwned } from './for-owned';
import type { PortalSession } from './portal-session';
import type { UnitContext } from './unit-context';

/** The CRM's limit for every batch of records (docs/reference/crm-api.md, Batches). */
const maxRecords = 100;

export interface ArchiveAsk {
  unit: UnitContext;
  id: string;
}

/** Records deleted in batches, per portal. One that is not there any more counts as deleted. */
export interface ArchiveCalls {
  archive(objectType: string, ask: ArchiveAsk): Promise<CallResult<null>>;
}

export function createArchiveCalls(session: PortalSession, activity: Activity): ArchiveCalls {
  const archives = createCoalescerFamily<ArchiveAsk, CallResult<null>>((objectType) => ({
    maxBatch: maxRecords,
    maxConcurrent: 4,
    activity,
    conflictKey: (ask) => ask.id,
    limitOf: (ask) => ask.unit.chunkSize,
    run: (asks) => {
      const send = (part: readonly ArchiveAsk[]): Promise<CrmResult<null>> =>
        session.call(
          'write',
          (client, access, options) =>
            client.batchArchive(
              access,
              objectType,
              part.map(({ id }) => id),
              options,
            ),
          callContextOf(part),
        );
      return forOwned(asks, async (owned) => {
        const results = await runBatch<ArchiveAsk, null, null>(owned, {
          send,
          match: (part) => part.map(() => ({ ok: true, value: null })),
          // Deleting again does no harm.
          splitTransient: owned.some(({ unit }) => unit.retried),
        });
        failpoint('after_crm_write');
        return results.map(ended);
      });
    },
  }));
  return { archive: (objectType, ask) => archives.ask(objectType, ask) };
}

const ended = (answer: CallResult<null>): CallResult<null> =>
  !answer.ok && answer.code === 'crm_not_found' ? { ok: true, value: null } : answer;
