import { type Finding, finding } from '@sluice/config-model';
import type { CallResult, CrmAssociationType } from '@sluice/ports';
import type { WantedAssociation } from '../../work/needs/wanted-associations';

export type ReadAssociationTypes = (from: string, to: string) => Promise<CallResult<CrmAssociationType[]>>;

/**
 * Compares the associations of the steps with what the portal defines, each pair of object types asked once, one after the other.
 * After a call without an answer the rest is reported as not checked.
 */
export async function associationFindings(
  associations: readonly WantedAssociation[],
  read: ReadAssociationTypes,
): Promise<Finding[]> {
  const found: Finding[] = [];
  const known = new Map<string, CallResult<CrmAssociationType[]>>();
  let lost: CallResult<CrmAssociationType[]> | null = null;
  for (const wanted of associations) {
    const pair = `${wanted.from} ${wanted.to}`;
    const types: CallResult<CrmAssociationType[]> = lost ?? known.get(pair) ?? (await read(wanted.from, wanted.to));
    known.set(pair, types);
    if (!types.ok && types.kind === 'transient') lost = types;
    found.push(...judge(wanted, types));
  }
  return found;
}

function judge(
  { from, to, typeId, category, flow, step, field }: WantedAssociation,
  types: CallResult<CrmAssociationType[]>,
): Finding[] {
  const say = (severity: Finding['severity'], code: string, message: string, suggestion: string): Finding[] =>
    [finding({ severity, code, message: `step '${step}': ${message}`, suggestion, field, event_flow: flow })];
  const pair = `${from} and ${to}`;
  const isUnknownType = !types.ok && (types.code === 'crm_rejected' || types.code === 'crm_not_found');
  if (!types.ok && !isUnknownType)
    return say(
      'warning', 'association_definitions_not_checked',
      `the associations between ${pair} were not checked: ${types.message}`, 'Run the preflight again.',
    );
  const defined = types.ok ? types.value : [];
  if (defined.length === 0)
    return say(
      'error', 'association_definition_missing', `no association between ${pair} is defined on the portal`,
      'Create it on the portal: Sluice never does.',
    );
  if (typeof typeId !== 'number') return [];
  const categories = defined.filter((type) => type.typeId === typeId).map((type) => configCategory(type.category));
  if (categories.length === 0)
    return say(
      'error', 'unknown_association_type_id', `association type ${typeId} does not exist between ${pair}`,
      `Defined are ${defined.slice(0, 20).map((type) => `${type.typeId} (${type.label ?? 'no label'})`).join(', ')}.`,
    );
  if (typeof category === 'string')
    return categories.includes(category)
      ? []
      : say(
          'error', 'association_category_mismatch',
          `association type ${typeId} between ${pair} is not of the category ${category}`, `Use ${categories.join(' or ')}.`,
        );
  return new Set(categories).size === 1
    ? []
    : say(
        'error', 'ambiguous_association_type_id',
        `association type ${typeId} between ${pair} exists under several categories`,
        `Set association_category to ${categories.join(' or ')}.`,
      );
}

const configCategory = (category: string): string => (category === 'HUBSPOT_DEFINED' ? 'CRM_DEFINED' : category);
