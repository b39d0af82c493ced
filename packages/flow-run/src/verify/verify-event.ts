import type { ActionPorts } from '@sluice/actions';
import type { CompiledFlow, FlowEvent, RunOutcome } from '@sluice/flow-engine';
import type { BulkSteps, StepTrace } from '@sluice/ports';
import type { EarlierSteps } from '../kept-steps';
import { runFlow } from '../run-flow';
import { withKnownOutputs } from './known-outputs';
import { type VerifiedRecord, type VerifyReader, VerifyRecords } from './verify-records';

/**
 * Reads the CRM again and compares each record with what the flow projects from the event. It runs the flow's own steps, with a
 * CRM that writes nothing; what reached beyond the CRM is not repeated.
 * @param traces of the run that is verified: what steps found or were answered then
 * @param skipped items of bulk steps that the run wrote nothing of: nothing is expected of them
 */
export async function verifyEvent(
  flow: CompiledFlow<ActionPorts>,
  event: FlowEvent,
  reader: VerifyReader,
  traces: readonly StepTrace[] = [],
  skipped: BulkSteps = {},
): Promise<VerifiedRecord[]> {
  const records = new VerifyRecords(reader);
  const known = withKnownOutputs(flow, traces);
  // No other port is used: steps that would use one are replaced.
  const ports = { crm: records } as Partial<ActionPorts> as ActionPorts;
  const begins = ({ id }: { id: string }): void => records.begin(known.unknownIn(id));
  const { outcome } = await runFlow(known.flow, known.flow.contextOf(event), ports, {
    begins,
    earlier: { wrote: false, attempts: 0, steps: skippedItems(skipped) },
  });
  const verified = await records.verified();
  return verified.length > 0 ? verified : [notVerifiable(event.external_id ?? null, whyNothing(outcome))];
}

const skippedItems = (steps: BulkSteps): EarlierSteps =>
  Object.fromEntries(
    Object.entries(steps).map(([id, { items }]) => [id, { items, output: null, landed: null, unansweredSince: null }]),
  );

/** A record of an event that cannot be verified. */
export const notVerifiable = (externalId: string | null, reason: string, entityName: string | null = null): VerifiedRecord => ({
  entity_name: entityName,
  external_id: externalId,
  crm_id: null,
  status: 'not_verifiable',
  properties: [],
  reason,
});

function whyNothing(outcome: RunOutcome): string {
  if (outcome.status === 'skipped') return `the flow writes nothing: ${outcome.reason}`;
  return 'failure' in outcome ? outcome.failure.message : 'the flow writes no CRM record';
}
