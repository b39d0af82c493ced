import type { RequiredProvisioning } from '@sluice/config-model';
import type { PortalCalls } from './open-portal';
import { pipelineSubject } from './plan-pipeline';
import { type PropertyGroup, provisionEntity } from './provision-entity';
import { provisionPipeline } from './provision-pipeline';
import { addError, emptyReport, type ProvisioningReport, type Subject } from './report';

type Work = [Subject, () => Promise<void>];

/** Whether a config needs anything of a portal. */
export const needsPortal = ({ entities, pipelines }: RequiredProvisioning): boolean =>
  pipelines.length > 0 || entities.some(({ properties, custom_object }) => custom_object || properties.length > 0);

/**
 * Gives a portal the object types, groups, properties and pipelines that a config needs, one after the other. Never changes what
 * exists; what was created stays when something later fails, so that a retry resumes. A portal that does not answer is not asked
 * again: what is left is told of as an error.
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
