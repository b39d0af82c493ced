import type { ActionPorts } from '@sluice/actions';
import type { Source } from '@sluice/contracts';
import type { DryRunNotes } from './dry-run-notes';
import { StubFiles } from './stub-files';
import { StubIdentities } from './stub-identities';
import { StubRecords } from './stub-records';
import { StubTargets } from './stub-targets';

const noPlugins: ActionPorts['plugins'] = {
  invoke: () => Promise.reject(new Error('a dry run invokes no plugin')),
  store: () => null,
};

/** A stub of everything outside: it notes what it is asked for and does nothing. `timestamp`: that of the event. */
export function dryRunPorts(sources: readonly Source[], timestamp: string, notes: DryRunNotes): ActionPorts {
  const files = new StubFiles(notes);
  return {
    crm: new StubRecords(notes),
    files,
    exports: files,
    rest: new StubTargets(sources, timestamp, notes),
    identities: new StubIdentities(notes),
    // Steps that invoke plugins are not executed.
    plugins: noPlugins,
  };
}
