import type { JobTable } from '@sluice/work-threads';
import { checkConfigJob } from './jobs/check-config';
import { compareConfigsJob } from './jobs/compare-configs';
import { describeDraftJob } from './jobs/describe-draft';
import { diffVersionsJob } from './jobs/diff-versions';
import { dryRunJob } from './jobs/dry-run';
import { lintPluginJob } from './jobs/lint-plugin';
import { payloadShapesJob } from './jobs/payload-shapes';
import { preflightNeedsJob } from './jobs/preflight-needs';
import { proposalChangesJob } from './jobs/proposal-changes';
import { requiredProvisioningJob } from './jobs/required-provisioning';
import { suggestMappingsJob } from './jobs/suggest-mappings';

/** The costly work of config-api's requests: what runs expressions, or walks a whole document. */
export const configJobs = {
  check_config: checkConfigJob,
  compare_configs: compareConfigsJob,
  describe_draft: describeDraftJob,
  diff_versions: diffVersionsJob,
  dry_run: dryRunJob,
  lint_plugin: lintPluginJob,
  payload_shapes: payloadShapesJob,
  preflight_needs: preflightNeedsJob,
  proposal_changes: proposalChangesJob,
  required_provisioning: requiredProvisioningJob,
  suggest_mappings: suggestMappingsJob,
} satisfies JobTable;

export type ConfigJobs = typeof configJobs;
