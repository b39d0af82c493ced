import type { CallResult, CrmResult } from '@sluice/ports';
import type { Activity } from '../batching/activity';
import type { PairAsk } from './association-calls';
import { runRemovals } from '../calls/batch-outcome';
import { callContextOf } from '../calls/call-context';
import { createCallFamily } from '../calls/call-family';
import type { PortalSession } from '../session/portal-session';

/** The CRM accepts at most this many different records of one side (docs/reference/crm-api.md, Associations). */
const maxPairs = 100;

/** A type of association; null: every association of the pair. */
export type RemovedType = { category: string; typeId: number } | null;

/** Associations removed in batches, per portal. Removing one that does not exist is no failure. */
export interface DissociateCalls {
  dissociate(fromType: string, toType: string, type: RemovedType, ask: PairAsk): Promise<CallResult<null>>;
}

export function createDissociateCalls(session: PortalSession, activity: Activity): DissociateCalls {
  const pairs = createCallFamily<PairAsk, null>((name) => {
    const [fromType, toType, type] = JSON.parse(name) as [string, string, RemovedType];
    const send = (asks: readonly PairAsk[]): Promise<CrmResult<null>> =>
      session.call(
        'write',
        (client, access, options) =>
          type === null
            ? client.batchArchiveAssociations(access, fromType, toType, byStart(asks), options)
            : client.batchArchiveLabels(
                access,
                fromType,
                toType,
                asks.map((ask) => ({ ...ends(ask), types: [type] })),
                options,
              ),
        callContextOf(asks),
      );
    return {
      maxBatch: maxPairs,
      maxConcurrent: 4,
      activity,
      limitOf: (ask) => ask.unit.chunkSize,
      conflictKey: (ask) => `${ask.fromId}>${ask.toId}`,
      run: (asks) => runRemovals(asks, send),
    };
  });
  return { dissociate: (fromType, toType, type, ask) => pairs.ask(JSON.stringify([fromType, toType, type]), ask) };
}

const ends = ({ fromId, toId }: PairAsk): { fromId: string; toId: string } => ({ fromId, toId });

/** One entry per record that associations start at. */
function byStart(asks: readonly PairAsk[]): { fromId: string; toIds: string[] }[] {
  const starts = new Map<string, string[]>();
  for (const { fromId, toId } of asks) starts.set(fromId, [...(starts.get(fromId) ?? []), toId]);
  return [...starts].map(([fromId, toIds]) => ({ fromId, toIds }));
}
