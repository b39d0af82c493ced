/** What a publish would do beside the config itself. */
export interface ResolvedChange {
  type:
    | 'property_group_added' | 'property_added' | 'custom_object_added' | 'pipeline_added' | 'portal_not_checked'
    | 'plugin_version_changed' | 'plugin_capabilities_changed' | 'plugin_unresolvable';
  detail: string;
  entity: string | null;
  event_flow: null;
  source: null;
}

export const resolvedChange = (type: ResolvedChange['type'], detail: string, entity: string | null = null): ResolvedChange =>
  ({ type, detail, entity, event_flow: null, source: null });
