import type { RequiredProvisioning } from '@sluice/config-model';
import type { PortalCalls } from './open-portal';
import { pipelineSubject } from './plan-pipeline';
import { type PropertyGroup, provisionEntity } from './provision-entity';
import { provisionPipeline } from './provision-pipeline';
import { addError, emptyReport, type ProvisioningReport, type Subject } from './report';

type Work = [Subject, () => Promise<void>];

/** Whether a config needs anything on a portal. */
export const needsPortal = ({ entities, pipelines }: RequiredProvisioning): boolean =>
  pipelines.length > 0 || entities.some(({ properties, custom_object }) => custom_object || properties.length > 0);

/**
 * Creates the object types, groups, properties and pipelines that a portal lacks for a config, one after the other. Never changes
 * what exists; created parts stay when a later one fails, so that a retry resumes. After a call without an answer no further call
 * is made, and the rest is reported as an error.
 */
export async function provision(
  portal: PortalCalls,
  { entities, pipelines }: RequiredProvisioning,
  ownGroup: PropertyGroup,
): Promise<ProvisioningReport> {
  const report = emptyReport();
  const work: Work[] = [
    ...entities
      .filter(({ properties, custom_object }) => custom_object || properties.length > 0)
      .map((entity): Work => [entity, () => provisionEntity(portal, entity, ownGroup, report)]),
    // After the entities: a pipeline may be one of an object type that was just created.
    ...pipelines.map((one): Work => [pipelineSubject(one), () => provisionPipeline(portal, one, report)]),
  ];
  for (const [subject, run] of work) {
    if (report.lost) addError(report, subject, 'not attempted: the portal does not answer');
    else await run();
  }
  return report;
}
