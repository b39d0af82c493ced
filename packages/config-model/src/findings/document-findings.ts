import type { ConfigDocument } from '@sluice/contracts';
import { enrichmentFindings } from './enrichment-findings';
import type { Finding } from './finding';
import { flowFindings } from './flow-findings';
import { restDeleteFindings } from './rest-delete-findings';
import { stepFieldFindings } from './step-field-findings';

/** All findings of preflight about the document itself. `config` has no problems of checkConfig. */
export function documentFindings(config: ConfigDocument): Finding[] {
  return [
    ...flowFindings(config),
    ...stepFieldFindings(config),
    ...restDeleteFindings(config),
    ...enrichmentFindings(config),
  ];
}
