import type { CompiledConfig } from '@sluice/config-model';
import type { ConnectorChange } from '@sluice/contracts';
import type { CrmWriter } from '@sluice/crm-writer';
import type { Unit } from '../unit';

/** Links that the chain of causes of an event may have; a longer one is a loop (docs/reference/echoes.md). */
const hopLimit = 8;

/** Whether a unit is a change of the CRM, which an event of Sluice may have caused. */
export const isOfJournal = ({ envelope }: Unit): boolean => envelope.source_type === 'crm';

/** What led to a change of the CRM. */
export interface JournalJudgement {
  /** Why it does not run; null: it runs. */
  stop: 'echo_suppressed' | 'hop_limit' | null;
  /** Links of its chain of causes. */
  hops: number;
}

/** Judges a change of the CRM. A forced replay runs, whatever led to it. */
export async function judgeJournal(
  writer: Pick<CrmWriter, 'isJournalEcho' | 'hopsOfJournal'>,
  { envelope }: Unit,
  { binding, config: { suppressesEchoes, watched }, payload }: {
    binding: ConnectorChange['binding']; config: Pick<CompiledConfig, 'suppressesEchoes' | 'watched'>; payload: unknown;
  },
): Promise<JournalJudgement> {
  if (!binding) return { stop: null, hops: 0 };
  const { connector_id: connectorId, event_id: eventId, event_type: eventType, forced = false, source_name: source } = envelope;
  const event = { connectorId, eventId, eventType, payload, watched: watched(source, typeOf(eventType)) };
  const [isEcho, hops] = await Promise.all([
    suppressesEchoes && !forced && writer.isJournalEcho(event), writer.hopsOfJournal(binding.portal_id, event),
  ]);
  if (isEcho) return { stop: 'echo_suppressed', hops };
  return { stop: hops > hopLimit && !forced ? 'hop_limit' : null, hops };
}

/** Event types of the journal are `<objectTypeId>.<action>`. */
const typeOf = (eventType: string): string => eventType.slice(0, eventType.lastIndexOf('.'));
