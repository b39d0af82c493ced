import type { CrmFiles, CrmRecords, ExportFiles, IdentityMap, PluginCalls, RestTargets } from '@sluice/ports';

/** The ports for actions. An action narrows them with `uses`. */
export interface ActionPorts {
  crm: CrmRecords;
  files: CrmFiles;
  exports: ExportFiles;
  rest: RestTargets;
  identities: IdentityMap;
  plugins: PluginCalls;
}
