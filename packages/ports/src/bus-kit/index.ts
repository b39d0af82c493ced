/** Code shared by the bus adapters and the twin. Services use the port, never this. */
export * from './check-partitions';
export * from './committer';
export * from './partition-reader';
export * from './publish-lines';
export * from './publish-queue';
export * from './sticky-assignment';
