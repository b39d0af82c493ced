import type { ConfigDocument } from '@sluice/contracts';
import { conflictFindings } from './conflict-findings';
import { enrichmentFindings } from './enrichment-findings';
import { entityFindings } from './entity-findings';
import type { Finding } from './finding';
import { flowFindings } from './flow-findings';
import { flowStartFindings } from './flow-start-findings';
import { mappingReferenceFindings } from './mapping-reference-findings';
import { missingSchemaFindings } from './missing-schema-findings';
import { randomHeaderFindings } from './random-header-findings';
import { restDeleteFindings } from './rest-delete-findings';
import { sourceFindings } from './source-findings';
import { stepFieldFindings } from './step-field-findings';
import { stepReferenceFindings } from './step-reference-findings';

/** All findings of preflight about the document itself. `config` has no problems of checkConfig. */
export function documentFindings(config: ConfigDocument): Finding[] {
  return [
    ...flowFindings(config),
    ...flowStartFindings(config),
    ...stepFieldFindings(config),
    ...stepReferenceFindings(config),
    ...missingSchemaFindings(config),
    ...entityFindings(config),
    ...mappingReferenceFindings(config),
    ...conflictFindings(config),
    ...restDeleteFindings(config),
    ...enrichmentFindings(config),
    ...randomHeaderFindings(config),
    ...sourceFindings(config),
  ];
}
