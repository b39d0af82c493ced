import { configLimits } from '@sluice/config-model';
import { type ConfigDocument, countCustomTypes, customObjectTypes, planLimits } from '@sluice/contracts';
import { apiError, HttpError } from '@sluice/service-kit';
import type { OrganizationRow } from '@sluice/ports';
import type { DraftDeps } from './deps';
import type { DraftFacts } from '../../work/jobs/describe-draft';
import { limitError } from '../../limits/limit-error';
import { upgradeUrl } from '../../plan/upgrade-url';

export interface DraftToCheck {
  config: unknown;
  /** The published config, as JSON; null before the first publish. */
  active: string | null;
  organization: OrganizationRow;
}

/**
 * Checks a draft before it is saved: its size (413), every problem of the document (422), custom object types beyond the plan
 * (402). See docs/reference/config-document.md, When a document is refused. Returns the document, and what answers tell of it.
 * @param before reads the present draft and the active version, only when a limit of the plan is exceeded: object types that they
 * use may stay
 */
export async function checkDraft(
  deps: Pick<DraftDeps, 'configChecker' | 'publicUrl'>,
  { config, active, organization }: DraftToCheck,
  before: () => Promise<ConfigDocument[]>,
): Promise<{ document: ConfigDocument; facts: DraftFacts }> {
  const text = JSON.stringify(config);
  if (Buffer.byteLength(text) > configLimits.bytes) throw apiError('payload_too_large', { limit_bytes: configLimits.bytes });
  const job = { text, moment: 'save', credentials: null, describe: { active } } as const;
  const { problems, facts } = await deps.configChecker.inspect(organization.id, job);
  if (problems.length > 0 || !facts) throw new HttpError(422, problems);
  const document = config as ConfigDocument;
  const types = customObjectTypes(document);
  const limit = planLimits(organization).custom_object_types_limit;
  if (limit === null || countCustomTypes(types) <= limit) return { document, facts };
  const known = new Set((await before()).flatMap(customObjectTypes));
  if (types.every((type) => known.has(type))) return { document, facts };
  const usage = countCustomTypes([...known]);
  const code = limit === 0 ? 'custom_objects_not_allowed' : 'custom_object_type_limit_reached';
  throw limitError(code, organization, upgradeUrl(deps), { limit, usage, custom_object_types: types });
}
