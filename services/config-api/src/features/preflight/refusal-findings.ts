import { type Finding, finding } from '@sluice/config-model';
import { isPublished, publishRefusals, type PublishSubject } from '../versions/publish-refusals';
import type { PreflightDeps } from './deps';

/** Refusals that have findings of their own, which say more: `plugin_step_tier_not_allowed` names the step. */
const toldElsewhere: ReadonlySet<unknown> = new Set(['plugin_system_not_allowed']);

/** What a publish of the draft refuses for its base and for the plan, by the codes of its answer. */
export async function refusalFindings(deps: PreflightDeps, subject: PublishSubject): Promise<Finding[]> {
  // Publishing it changes nothing, and nothing is refused.
  if (isPublished(subject)) return [];
  const { beforeCheck, afterCheck } = await publishRefusals(deps, subject);
  return [...beforeCheck, ...afterCheck].flatMap(({ detail }) => {
    const { code, error, message } = detail as { code?: string; error?: string; message: string };
    const told = code ?? error ?? 'publish_refused';
    return toldElsewhere.has(told) ? [] : [finding({ severity: 'error', code: told, message })];
  });
}
