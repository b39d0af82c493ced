import type { ConnectorChange } from '@sluice/contracts';
import { eventTopic, type IntakeOrigin, planUnits } from '@sluice/event-intake';
import { type ImportRun, importRunOf, type RowToRun } from '@sluice/ports';
import type { ImportDeps } from './deps';

const source = { name: 'event_api', type: 'event_api' } as const;

/**
 * Publishes rows as events of the present turn of their import. They are as old as the import, so that they overwrite nothing
 * that was accepted later; they may wait as long as events that are accepted now.
 * @returns why they are not, or perhaps not, in the log; null: they are
 */
export async function publishRows(
  { intake, partitions }: Pick<ImportDeps, 'intake' | 'partitions'>, connector: ConnectorChange,
  { id, turn, entity, eventType, acceptedAt, requestId }: ImportRun, rows: readonly RowToRun[], askedAt: Date,
): Promise<string | null> {
  const topic = eventTopic(source.type);
  const within = await partitions.of(topic.name);
  const origin: IntakeOrigin = { source, run: importRunOf(turn), kind: 'import', askedAt };
  const event = { aliases: [], acceptedAt: acceptedAt.getTime(), requestId, timestamp: null, storeId: null };
  const units = rows.flatMap(({ line, externalId, eventId, properties }) => {
    const importRow = { import_id: id, line };
    const payload: unknown = JSON.parse(properties);
    const record = { eventType, externalId, entityType: entity, recordKey: null, payload, importRow };
    return planUnits({ ...event, eventId, records: [record] }, origin, connector, within);
  });
  return (await intake.publish(topic, units, {}))?.why ?? null;
}
