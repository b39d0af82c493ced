import { invalid } from '../http/refusal';
import { type Problem } from '../state/problem';
import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';

/**
 * Whether a new record has what its type asks for (docs/reference/crm-api.md, Writing); the pipeline only when there are several.
 */
export function missingRequired(
  portal: PortalState,
  type: ObjectType,
  values: Readonly<Record<string, string>>,
): Problem | undefined {
  const missing = type.required.filter((group) => !group.some((name) => values[name])).map((group) => group.join(' or '));
  const names = type.pipelineProperties;
  const needsPipeline = names && type.required.some((group) => group.includes(names.stage)) && !values[names.pipeline];
  if (needsPipeline && portal.space(type).pipelines.size > 1) missing.push(names.pipeline);
  if (missing.length === 0) return undefined;
  return invalid(`Error creating ${type.legacyName}. Some required properties were not set.`, {
    context: { properties: missing },
  });
}
