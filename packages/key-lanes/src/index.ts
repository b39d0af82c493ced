export { createKeyLanes } from './create-key-lanes';
export type { KeyLanes, KeyLanesStats } from './key-lanes';
export type { KeyLanesOptions } from './key-lanes-options';
export { bytesOf, type LaneItem, type Touches, type Work } from './lane-item';
