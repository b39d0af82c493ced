import type { AccountParts, Parts } from '@sluice/service-parts';

/** The parts config-api stands on. */
export type ConfigApiParts = Pick<
  Parts,
  'bus' | 'kv' | 'blobs' | 'crm' | 'keyring' | 'configStore' | 'configReader' | 'records' | 'conflicts' | 'exports' | 'tasks'
  | 'monitoring' | 'replayJobs' | 'breakers' | 'requests' | 'imports' | 'verifications' | 'assistant' | 'functions' | 'pluginRuns'
>
  & Pick<Parts, 'sourceFiles'>
  & AccountParts
  & {
    runStore: Pick<Parts['runStore'], 'heldCounts' | 'oldestHeld' | 'mappings' | 'haveNewerRemovals'>;
    eventIndex: Pick<Parts['eventIndex'], 'acceptedSince' | 'reservedSince' | 'recentPayloads' | 'view'>;
    writeCaps: Parts['writeCaps'];
  };
