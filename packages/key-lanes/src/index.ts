export { createKeyLanes, type KeyLanes, type KeyLanesStats } from './key-lanes';
export type { KeyLanesOptions } from './key-lanes-options';
export type { LaneItem, Work } from './lane-item';
