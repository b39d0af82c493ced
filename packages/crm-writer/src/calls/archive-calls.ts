import type { CallResult, CrmResult } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import { runRemovals } from './batch-outcome';
import { callContextOf } from './call-context';
import { createCallFamily } from './call-family';
import type { PortalSession } from '../session/portal-session';
import type { UnitContext } from '../shared/unit-context';
import type { WriteCaps } from './write-caps';

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

export function createArchiveCalls(session: PortalSession, activity: Activity, caps: WriteCaps): ArchiveCalls {
  const archives = createCallFamily<ArchiveAsk, null>((objectType) => ({
    maxBatch: maxRecords,
    maxConcurrent: 4,
    activity,
    conflictKey: (ask) => ask.id,
    limitOf: (ask) => ask.unit.chunkSize,
    run: async (asks) => {
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
      return caps.within(asks, true, async (allowed) => (await runRemovals(allowed, send)).map(ended));
    },
  }));
  return { archive: (objectType, ask) => archives.ask(objectType, ask) };
}

const ended = (answer: CallResult<null>): CallResult<null> =>
  !answer.ok && answer.code === 'crm_not_found' ? { ok: true, value: null } : answer;
