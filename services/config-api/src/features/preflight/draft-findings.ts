import { type Finding, finding, type Problem } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';
import { HttpError } from '@sluice/service-kit';
import type { ResolvedPlugins } from '../plugins/resolution/resolve-plugins';
import type { PreflightDeps } from './deps';

/**
 * All findings of preflight about the draft itself: what a save or a publish refuses, and what may be unexpected afterwards.
 * @param text the config as JSON
 */
export async function draftFindings(
  { configChecker, store }: Pick<PreflightDeps, 'configChecker' | 'store'>,
  organizationId: string,
  { config, text, refusals }: { config: ConfigDocument; text: string; refusals: ResolvedPlugins['refusals'] },
): Promise<Finding[]> {
  const credentials = await store.credentials.names(organizationId);
  try {
    const { problems, findings } = await configChecker.inspect(organizationId, {
      text, moment: 'publish', credentials, pluginRefusals: [...refusals], findings: true,
    });
    return [...problems.map((problem) => toFinding(problem, config)), ...findings];
  } catch (error) {
    if (!isGivenUp(error)) throw error;
    return [finding({ severity: 'error', code: 'config_too_complex', message: 'the check of this config takes too long' })];
  }
}

/** Work that was given up is a finding; too much of it at once is an answer of its own. */
export const isGivenUp = (error: unknown): boolean => error instanceof HttpError && error.status === 422;

/** A refusal of a save or a publish as a finding: `field` is its place in the document. */
function toFinding({ type, loc, msg }: Problem, config: ConfigDocument): Finding {
  const [list, index] = [loc[1], loc[2]];
  const nameIn = (name: string, named: readonly { name: string }[]): string | null =>
    list === name && typeof index === 'number' ? (named[index]?.name ?? null) : null;
  return finding({
    severity: 'error', code: type, message: msg, field: loc.slice(1).join('.') || null,
    entity: nameIn('entities', config.entities), event_flow: nameIn('flows', config.flows),
  });
}
