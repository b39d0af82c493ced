import type { ConfigDocument } from '@sluice/contracts';

/** A place of the document that makes a publish create something. */
export interface ProvisioningPlace {
  /** As in reports of provisioning: the name of an entity, or `pipeline:<label>`. */
  entity: string;
  /** null: the object type, or the pipeline itself. */
  property: string | null;
  field: string;
}

/** Every such place; of several for one property the first. */
export function provisioningPlaces({ entities, pipelines = [] }: ConfigDocument): ProvisioningPlace[] {
  const ofEntities = entities.flatMap(({ name: entity, schemas: { crm } }, index): ProvisioningPlace[] => {
    if (!crm) return [];
    const place = `entities.${index}.schemas.crm`;
    const mapped = (crm.field_mappings ?? []).flatMap(({ target, provision_names: names = [] }, position) => {
      const field = `${place}.field_mappings.${position}`;
      return target === undefined
        ? names.map((property, at) => ({ entity, property, field: `${field}.provision_names.${at}` }))
        : [{ entity, property: target, field: `${field}.target` }];
    });
    const identity = crm.identity
      ? [{ entity, property: crm.identity.property, field: `${place}.identity.property` }]
      : [];
    return [...mapped, ...identity, { entity, property: null, field: `${place}.object_type` }];
  });
  const ofPipelines = pipelines.map(({ label }, index) => ({
    entity: `pipeline:${label}`, property: null, field: `pipelines.${index}`,
  }));
  return [...ofEntities, ...ofPipelines];
}
