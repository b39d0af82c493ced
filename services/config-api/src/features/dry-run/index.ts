import type { HttpRoute } from '@sluice/service-kit';
import type { DryRunDeps } from './deps';
import { postDraftFlowDryRun } from './post-draft-flow-dry-run';

/** The route of dry runs. */
export const dryRunRoutes = (deps: DryRunDeps): HttpRoute[] => [postDraftFlowDryRun(deps)];
