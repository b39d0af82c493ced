import type { PropertyGroup } from './provision-entity';

/** The group in which a connector's properties are created (`crm_provisioning` of its settings). */
export function ownGroup(settings: Readonly<Record<string, unknown>>): PropertyGroup {
  const { property_group: name, property_group_label: label } = (settings.crm_provisioning ?? {}) as {
    property_group?: string;
    property_group_label?: string;
  };
  return { name: name ?? 'sluice', label: label ?? name ?? 'Sluice' };
}
