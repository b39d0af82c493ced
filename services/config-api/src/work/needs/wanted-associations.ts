import type { ConfigDocument } from '@sluice/contracts';

/** An association that a step makes or removes. */
export interface WantedAssociation {
  from: string;
  to: string;
  typeId: unknown;
  category: unknown;
  /** Name of the flow and id of the step. */
  flow: string;
  step: string;
  field: string;
}

const linking: ReadonlySet<string> = new Set(['associate', 'associate_many', 'dissociate']);

/** The associations of a config whose ends are of known object types. */
export function wantedAssociations({ entities, flows }: ConfigDocument): WantedAssociation[] {
  const types = new Map(entities.map(({ name, schemas }) => [name, schemas.crm?.object_type]));
  const typeOf = (name: unknown): string | undefined => (typeof name === 'string' ? types.get(name) : undefined);
  return flows.flatMap((flow, flowIndex) =>
    flow.steps.flatMap((step, stepIndex) => {
      const field = `flows.${flowIndex}.steps.${stepIndex}`;
      const own = linking.has(step.action) ? [{ entry: step as Record<string, unknown>, from: step.from_entity, field }] : [];
      const listed = Array.isArray(step.associations) ? (step.associations as Record<string, unknown>[]) : [];
      const entries = listed.map((entry, index) => ({ entry, from: step.entity, field: `${field}.associations.${index}` }));
      return [...own, ...entries].flatMap(({ entry, from: fromEntity, field: place }) => {
        const [from, to] = [typeOf(fromEntity), typeOf(entry.to_entity)];
        if (from === undefined || to === undefined) return [];
        const { association_type_id: typeId, association_category: category } = entry;
        return [{ from, to, typeId, category, flow: flow.name, step: step.id, field: place }];
      });
    }),
  );
}
