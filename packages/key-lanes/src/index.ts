export { createKeyLanes } from './create-key-lanes';
export type { KeyLanes, KeyLanesStats } from './key-lanes';
export type { KeyLanesOptions } from './key-lanes-options';
export type { LaneItem, Touches, Work } from './lane-item';
