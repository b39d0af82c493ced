// In a file of its own, so that the pure packages can import it without the types of Node.

/**
 * Every reason with which a record, an item or a step ends without being written, and what it means (docs/reference/events.md,
 * Record outcomes). Outcomes store it (`reason`), and code makes decisions by it.
 */
export const outcomeReasons = {
  // The event
  no_flow_matched: 'No published flow is subscribed to the event.',
  flow_disabled: 'Only a disabled flow is subscribed to the event.',
  no_step_applied: 'No step of the flow ran.',
  expired: 'The event waited longer than events are kept.',
  connector_deleted: 'The connector was deleted before the event could run.',
  cancelled: 'The job that the event belongs to was cancelled before it ran.',
  held_expired: 'The row of an import was held longer than rows are held.',
  crashed_runner: 'Flow runners died while the event was under way.',
  // The record
  nothing_to_write: 'The event has nothing that could be written.',
  unchanged: 'The record has all values already.',
  superseded: 'Something newer was written to the record, or the CRM has other values by now.',
  target_wins: 'The values were edited in the CRM, and the config lets them stay.',
  target_deleted: 'The record was deleted in the CRM.',
  echo: 'The event is what the connector itself has written or sent.',
  echo_suppressed: 'The change of the CRM is what a flow of the connector has written there.',
  hop_limit: 'The chain of events that led to the change of the CRM is longer than 8: the flows write in a circle.',
  already_mapped: 'The external id leads to a record already.',
  already_exists: 'The CRM has the record already.',
  record_not_found: 'There is no record to change.',
  no_identity_mapping: 'No external id is known of the record.',
  identity_conflict: 'The record, or the identity it is to get, belongs to another external id.',
  missing_external_id: 'The event names no external id.',
  missing_object_id: 'The event names no id of a CRM record.',
  missing_crm_id: 'The event names no id of a CRM record.',
  // The list or the file of a step
  no_items: 'The list is empty.',
  no_rows: 'The file has no rows.',
  no_content: 'The file has no content.',
} as const;

export type OutcomeReason = keyof typeof outcomeReasons;

/**
 * A text of a flow, for example of a `skip` step. It is shown unchanged, and may equal one of the reasons above: code makes no
 * decision by the reason of a record whose steps have run.
 */
export type FlowText = string & { readonly flowText: true };

export type RecordReason = OutcomeReason | FlowText;

export const flowText = (text: string): FlowText => text as FlowText;

/** The reason that a step's output gives. */
export const recordReason = (value: unknown): RecordReason => String(value) as RecordReason;
