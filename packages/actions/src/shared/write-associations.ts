import type { EntityLookup, StepFailure } from '@sluice/flow-engine';
import type { CrmRecords, FailureCode, RecordTarget } from '@sluice/ports';
import type { ResolvedField } from '../field-types';
import type { associationsField } from './associations-field';

/** An `associations` entry with its references resolved. */
export type ResolvedAssociation = ResolvedField<typeof associationsField>[number];

interface Written {
  failure: StepFailure | null;
  wrote: boolean;
}

/**
 * Writes the `associations` of a record, all asked for at once so that the CRM writer can batch them. An entry
 * without an id is no failure. Of several failures the one that a retry can mend is reported.
 */
export async function writeAssociations(input: {
  from: RecordTarget;
  associations: readonly ResolvedAssociation[];
  entities: EntityLookup;
  crm: CrmRecords;
}): Promise<Written> {
  const written = await Promise.all(input.associations.map((entry) => writeOne(input, entry)));
  const failures = written.flatMap((one) => one.failure ?? []);
  const retryable = failures.find((failure) => failure.kind === 'transient' && !failure.stepsAside);
  const lasting = failures.find((failure) => failure.kind !== 'transient');
  return { failure: retryable ?? lasting ?? failures[0] ?? null, wrote: written.some((one) => one.wrote) };
}

async function writeOne(
  { from, entities, crm }: Parameters<typeof writeAssociations>[0],
  entry: ResolvedAssociation,
): Promise<Written> {
  const entity = entities.get(entry.to_entity);
  if (!entity || entity.objectType === null)
    return lasting('unknown_entity', `entity '${entry.to_entity}' has no CRM object type`);
  const to = entity.targetOf(entry.to_external_id);
  if (to.externalId === null) return { failure: null, wrote: false };
  const result = await crm.associate({
    from,
    to: [to],
    toObjectType: to.objectType,
    ...(entry.association_type_id !== undefined && { associationTypeId: entry.association_type_id }),
    ...(entry.association_category !== undefined && { associationCategory: entry.association_category }),
  });
  if (!result.ok) return { failure: result, wrote: false };
  const refused = result.value.results.find((one) => one.status === 'failed');
  return refused
    ? lasting('association_failed', refused.error ?? 'the CRM refused the association')
    : { failure: null, wrote: result.value.associated > 0 };
}

function lasting(code: FailureCode, message: string): Written {
  return { failure: { kind: 'permanent', code, message }, wrote: false };
}
