import type { CrmFiles } from '../crm-files';
import type { CrmRecords } from '../crm-records';
import type { ExportFiles } from '../export-files';
import type { IdentityMap } from '../identities';
import type { RestTargets } from '../rest-targets';
import { CrmFilesTwin } from './crm-files-twin';
import { CrmRecordsTwin } from './crm-records-twin';
import { ExportFilesTwin } from './export-files-twin';
import { IdentityMapTwin } from './identity-map-twin';
import { RestTargetsTwin } from './rest-targets-twin';

interface PortTwins {
  crm: CrmRecords;
  files: CrmFiles;
  exports: ExportFiles;
  rest: RestTargets;
  identities: IdentityMap;
}

/** A twin of every port that an action may use; those that are given in place of new ones. */
export function portTwins(given: Partial<PortTwins> = {}): PortTwins {
  const crm = given.crm ?? new CrmRecordsTwin();
  return {
    files: new CrmFilesTwin(crm), exports: new ExportFilesTwin(), rest: new RestTargetsTwin(), identities: new IdentityMapTwin(),
    ...given, crm,
  };
}
