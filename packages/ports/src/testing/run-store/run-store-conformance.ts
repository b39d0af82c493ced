import { claimTests } from './run-store-claim-tests';
import { conflictTests } from './run-store-conflict-tests';
import { crashTests } from './run-store-crash-tests';
import { flowOutcomeTests } from './run-store-flow-outcome-tests';
import { heldTests } from './run-store-held-tests';
import { heldScopeTests } from './run-store-held-scope-tests';
import type { RunStoreLab } from './run-store-lab';
import { mappingTests } from './run-store-mapping-tests';
import { removalTests } from './run-store-removal-tests';
import { ownershipTests } from './run-store-ownership-tests';
import { sessionTests } from './run-store-session-tests';
import { progressTests } from './run-store-progress-tests';
import { settleTests } from './run-store-settle-tests';

/**
 * What every run store must do. Call it at the top level of a test file.
 * @param makeLab called once; an empty store
 */
export function runStoreConformance(name: string, makeLab: () => Promise<RunStoreLab>): void {
  describe(`${name} is a run store`, () => {
    let lab: RunStoreLab;
    beforeAll(async () => {
      lab = await makeLab();
    });
    afterAll(() => lab.close());

    ownershipTests(() => lab);
    sessionTests(() => lab);
    progressTests(() => lab);
    settleTests(() => lab);
    heldTests(() => lab);
    heldScopeTests(() => lab);
    mappingTests(() => lab);
    removalTests(() => lab);
    claimTests(() => lab);
    crashTests(() => lab);
    conflictTests(() => lab);
    flowOutcomeTests(() => lab);
  });
}
