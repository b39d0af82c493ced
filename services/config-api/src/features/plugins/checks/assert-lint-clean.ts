import type { PluginCapabilities } from '@sluice/contracts';
import type { LintFinding } from '@sluice/plugin-lint';
import { apiError, HttpError } from '@sluice/service-kit';
import type { PluginDeps } from '../deps';

/** Throws 422 with everything in a bundle that the sandbox does not have, or that the plugin was not granted. */
export async function assertLintClean(
  { configWork }: Pick<PluginDeps, 'configWork'>, organizationId: string, bundle: string, capabilities: PluginCapabilities,
): Promise<void> {
  const given = { bytes: bundle.length };
  const findings = await configWork.run(organizationId, 'lint_plugin', { bundle, capabilities }, given).catch(tooComplex);
  if (findings.length === 0) return;
  throw apiError('plugin_capability_violation', { message: 'The bundle cannot run as it is.', findings });
}

function tooComplex(error: unknown): LintFinding[] {
  if (!(error instanceof HttpError && error.status === 422)) throw error;
  return [{ rule: 'too_complex', message: 'The bundle takes too long to read.', line: 1, excerpt: '' }];
}
