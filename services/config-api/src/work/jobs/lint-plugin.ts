import type { PluginCapabilities } from '@sluice/contracts';
import { type LintFinding, lintPlugin } from '@sluice/plugin-lint';

/** What is wrong with the bundle of a plugin. */
export const lintPluginJob = ({ bundle, capabilities }: { bundle: string; capabilities: PluginCapabilities }): LintFinding[] =>
  lintPlugin(bundle, capabilities);
