import type { KnownProperty } from '@sluice/config-model';
import type { ConnectorRow, CrmPropertyDefinition } from '@sluice/ports';
import type { SuggestionDeps } from './deps';

export interface PortalProperties {
  portal: 'read' | 'not_connected' | 'not_answering';
  /** null: not known. */
  properties: KnownProperty[] | null;
}

/** A person waits for suggestions, and the portal is only one part of them. */
const patienceMs = 5_000;

/** The properties of an object type on the connector's portal, if it answers in time. */
export async function portalProperties(
  { portalReads }: Pick<SuggestionDeps, 'portalReads'>,
  { binding }: ConnectorRow,
  objectType: string | undefined,
): Promise<PortalProperties> {
  if (!binding || objectType === undefined) return { portal: 'not_connected', properties: null };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => { timer = setTimeout(resolve, patienceMs, null); });
  try {
    const answer = await Promise.race([portalReads.properties(binding.credentialId, objectType), late]);
    return answer?.ok ? { portal: 'read', properties: answer.value.map(known) } : { portal: 'not_answering', properties: null };
  } finally {
    clearTimeout(timer);
  }
}

const known = ({ name, label, type, fieldType, options, readOnly }: CrmPropertyDefinition): KnownProperty => ({
  name, label, type, field_type: fieldType, read_only: readOnly === true,
  ...(options && { options: options.map(({ value, label: shown }) => ({ value, label: shown })) }),
});
