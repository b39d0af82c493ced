import { runMain } from '@sluice/service-kit';
import { PortTaken } from './embedded/usable-port';
import { FolderTaken } from './folder/claim-folder';
import { runStandalone } from './run-standalone';

runMain(async () => {
  try {
    await runStandalone(process.env);
  } catch (error) {
    if (!(error instanceof FolderTaken || error instanceof PortTaken)) throw error;
    // An error that the user can correct is shown without a stack.
    process.stderr.write(`${error.message}\n`, () => process.exit(1));
  }
});
