import type { CompiledConfig } from '@sluice/config-model';
import type { CrmWriter } from '@sluice/crm-writer';
import type { Unit } from './unit';

/** Whether a unit is a change of the CRM that a flow of its connector may have made there (docs/reference/echoes.md). */
export const mayBeEcho = ({ envelope }: Unit, { suppressesEchoes }: CompiledConfig): boolean =>
  envelope.source_type === 'crm' && suppressesEchoes && envelope.forced !== true;

/** Whether it is. */
export function isJournalEcho(writer: Pick<CrmWriter, 'isJournalEcho'>, { envelope }: Unit, payload: unknown): Promise<boolean> {
  const { connector_id: connectorId, event_id: eventId, event_type: eventType } = envelope;
  return writer.isJournalEcho({ connectorId, eventId, eventType, payload });
}
