import { checkConfig, configLimitBytes } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import { apiError, HttpError } from '@sluice/service-kit';
import type { OrganizationRow } from '@sluice/ports';
import { customObjectTypes } from '../plan/custom-objects';
import { limitError } from '../plan/limit-error';
import { planLimits } from '../plan/plan-limits';

/**
 * What refuses a draft when it is saved (decisions 5, Moments): its size (413), every problem of the document (422), custom
 * object types beyond the plan (402). Answers the document.
 */
export function checkDraft(config: unknown, organization: OrganizationRow, upgradeUrl: string): ConfigDocument {
  if (Buffer.byteLength(JSON.stringify(config)) > configLimitBytes) throw apiError('payload_too_large', { limit_bytes: configLimitBytes });
  const problems = checkConfig(config, { moment: 'save' });
  if (problems.length > 0) throw new HttpError(422, problems);
  const document = config as ConfigDocument;
  const types = customObjectTypes(document);
  const limit = planLimits(organization).custom_object_types_limit;
  if (limit !== null && types.length > limit) {
    const code = limit === 0 ? 'custom_objects_not_allowed' : 'custom_object_type_limit_reached';
    throw limitError(code, organization, upgradeUrl, { limit, usage: types.length, custom_object_types: types });
  }
  return document;
}
