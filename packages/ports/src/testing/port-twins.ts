import type { CrmFiles } from '../crm-files';
import type { CrmRecords } from '../crm-records';
import type { IdentityMap } from '../identities';
import type { RestTargets } from '../rest-targets';
import { CrmFilesTwin } from './crm-files-twin';
import { CrmRecordsTwin } from './crm-records-twin';
import { IdentityMapTwin } from './identity-map-twin';
import { RestTargetsTwin } from './rest-targets-twin';

interface PortTwins {
  crm: CrmRecords;
  files: CrmFiles;
  rest: RestTargets;
  identities: IdentityMap;
}

/** A twin of every port that an action may use; those that are given in place of new ones. */
export function portTwins(given: Partial<PortTwins> = {}): PortTwins {
  const crm = given.crm ?? new CrmRecordsTwin();
  return { files: new CrmFilesTwin(crm), rest: new RestTargetsTwin(), identities: new IdentityMapTwin(), ...given, crm };
}
