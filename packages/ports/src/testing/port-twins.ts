import type { CrmFiles } from '../crm-files';
import type { CrmRecords } from '../crm-records';
import { CrmFilesTwin } from './crm-files-twin';
import { CrmRecordsTwin } from './crm-records-twin';

interface PortTwins {
  crm: CrmRecords;
  files: CrmFiles;
}

/** A twin of every port that an action may use; those that are given in place of new ones. */
export function portTwins(given: Partial<PortTwins> = {}): PortTwins {
  const crm = given.crm ?? new CrmRecordsTwin();
  return { files: new CrmFilesTwin(crm), ...given, crm };
}
