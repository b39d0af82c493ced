import type { ObjectType } from '../model/object-types';
import type { PortalState } from '../state/portal-state';
import { presentProperty, type PropertyDefinition } from '../stores/property-definition';

/** The wire form of a property; pipeline and stage properties list what the portal has as options. */
export function showProperty(portal: PortalState, type: ObjectType, definition: PropertyDefinition): Record<string, unknown> {
  const shown = presentProperty(definition);
  if (definition.rule !== 'pipeline' && definition.rule !== 'stage') return shown;
  const pipelines = [...portal.space(type).pipelines.values()].filter((pipeline) => !pipeline.archived);
  const entries = definition.rule === 'pipeline' ? pipelines : pipelines.flatMap((pipeline) => [...pipeline.stages.values()]);
  return { ...shown, options: entries.map(({ id, label, displayOrder }) => ({ label, value: id, displayOrder, hidden: false })) };
}
