import type { ConfigDocument, Flow, SourceType, Step } from '@sluice/contracts';
import { finding, type Finding } from './finding';

/**
 * A delete against a REST destination finds the external id through the CRM id of the record. Where the flow's source cannot give
 * that id at the path, every such step would find no mapping and do nothing.
 */
export function restDeleteFindings(config: ConfigDocument): Finding[] {
  const declared = config.sources.map(({ name, type }) => [name, type] as const);
  const types = new Map<string, SourceType>([['event_api', 'event_api'], ...declared]);
  const paths = new Map(config.entities.map(({ name, schemas }) => [name, schemas.crm?.identity_source_path]));
  return config.flows.flatMap((flow, flowIndex) =>
    flow.steps.flatMap((step, stepIndex) => {
      if (!isRestDelete(step) || !paths.has(step.entity)) return [];
      const reason = unresolvable(flow, types.get(flow.source), paths.get(step.entity));
      return reason === null ? [] : [toFinding({ flow, step, reason, field: `flows.${flowIndex}.steps.${stepIndex}.entity` })];
    }),
  );
}

function isRestDelete(step: Step): step is Step & { entity: string } {
  return step.action === 'delete' && typeof step.target === 'string' && step.target !== 'crm' && typeof step.entity === 'string';
}

/** Why the source cannot give the CRM id at the path; null when it can. */
function unresolvable(flow: Flow, type: SourceType | undefined, path: string | undefined): string | null {
  if (type === undefined) return null;
  if (type !== 'crm')
    return path === undefined ? 'its source is not the CRM journal, so that $.payload.object.id has no CRM id' : null;
  const isDelete = flow.event_type.endsWith('.delete');
  if (isDelete && (path === undefined || path.startsWith('$.payload.object')))
    return 'a journal delete carries no object: its CRM id is at $.payload.event.objectId';
  const known = path === undefined || /^\$\.payload\.(event|object|changed)\b/.test(path);
  return known ? null : `an event of the journal has nothing at ${path}`;
}

interface Place {
  flow: Flow;
  step: Step & { entity: string };
  reason: string;
  field: string;
}

function toFinding({ flow, step, reason, field }: Place): Finding {
  return finding({
    severity: 'warning',
    code: 'delete_rest_identity_source_path_unresolvable',
    message: `step '${step.id}' cannot find the CRM id of entity '${step.entity}': ${reason}`,
    field,
    suggestion: `Set identity_source_path of the schema 'crm' of entity '${step.entity}', for example $.payload.event.objectId.`,
    entity: step.entity,
    event_flow: flow.name,
  });
}
