import type { CallFailure, CallResult, CrmItemError, CrmResult } from '@sluice/ports';
import { failpoint } from '@sluice/service-kit';
import type { Activity } from '../batching/activity';
import type { AssociationChoice } from '../session/association-types';
import { callContextOf } from '../calls/call-context';
import { createCallFamily } from '../calls/call-family';
import { itemErrorKind } from '../calls/item-error-kind';
import type { PortalSession } from '../session/portal-session';
import type { UnitContext } from '../shared/unit-context';

/** Below the CRM's own limit of 2,000, so that one slow call delays fewer lanes. */
const maxPairs = 1_000;

export interface PairAsk {
  unit: UnitContext;
  fromId: string;
  toId: string;
}

/** Associations written in batches, per portal. */
export interface AssociationCalls {
  associate(fromType: string, toType: string, choice: AssociationChoice, ask: PairAsk): Promise<CallResult<null>>;
}

type Written = CrmResult<{ done: number; errors: CrmItemError[] }>;

/** Whether an error entry is about this pair; an entry that names no record is about every pair. */
function concerns(error: CrmItemError, ask: PairAsk): boolean {
  const named = Object.entries(error.context).filter(([key]) => /object_?id|^ids?$/i.test(key)).flatMap(([, ids]) => ids);
  return named.length === 0 || named.includes(ask.fromId) || named.includes(ask.toId);
}

function itemFailure(error: CrmItemError): CallFailure {
  const kind = itemErrorKind(error);
  return {
    ok: false,
    kind,
    code: kind === 'permanent' ? 'crm_association_rejected' : 'crm_association_postponed',
    message: error.message,
  };
}

/**
 * When several errors cannot be assigned to pairs, the pairs are asked again one by one, so that the bad pair is alone. A pair
 * with a transient error only is not asked again: its event waits, because repeating at once would keep a busy CRM busy.
 */
async function sendPairs(asks: PairAsk[], send: (asks: PairAsk[]) => Promise<Written>): Promise<CallResult<null>[]> {
  const answer = await send(asks);
  if (answer.ok && answer.value.errors.length === 0) return asks.map(() => ({ ok: true, value: null }));
  if (asks.length === 1) return [answer.ok ? itemFailure(answer.value.errors[0]!) : answer];
  if (!answer.ok && answer.kind !== 'permanent') return asks.map(() => answer);
  if (!answer.ok) {
    const half = Math.ceil(asks.length / 2);
    return [...(await sendPairs(asks.slice(0, half), send)), ...(await sendPairs(asks.slice(half), send))];
  }
  const results: CallResult<null>[] = [];
  for (const ask of asks) {
    const about = answer.value.errors.filter((error) => concerns(error, ask));
    if (about.length === 0) results.push({ ok: true, value: null });
    else if (about.every((error) => itemErrorKind(error) === 'transient')) results.push(itemFailure(about[0]!));
    else results.push((await sendPairs([ask], send))[0]!);
  }
  return results;
}

export function createAssociationCalls(session: PortalSession, activity: Activity): AssociationCalls {
  const pairs = createCallFamily<PairAsk, null>((name) => {
    const [fromType, toType, choice] = JSON.parse(name) as [string, string, AssociationChoice];
    const send = (asks: PairAsk[]): Promise<Written> => session.call('write', (client, access, options) => {
      const inputs = asks.map(({ fromId, toId }) => ({ fromId, toId }));
      if (choice.kind === 'default') return client.batchAssociateDefault(access, fromType, toType, inputs, options);
      const types = [{ category: choice.category, typeId: choice.typeId }];
      return client.batchAssociate(access, fromType, toType, inputs.map((input) => ({ ...input, types })), options);
    }, callContextOf(asks));
    return {
      maxBatch: maxPairs, maxConcurrent: 4, activity,
      limitOf: (ask) => ask.unit.chunkSize,
      conflictKey: (ask) => `${ask.fromId}>${ask.toId}`,
      run: async (asks) => {
        const results = await sendPairs(asks, send);
        failpoint('after_crm_write');
        return results;
      },
    };
  });
  return { associate: (fromType, toType, choice, ask) => pairs.ask(JSON.stringify([fromType, toType, choice]), ask) };
}
