export { createEventIds, type EventIdFacts, eventIdKeys, type EventIds } from './event-id';
export { type IntakeEvent, type IntakeOrigin, type IntakeRecord, type PlannedUnit, planUnits } from './plan-units';
export { encodeUnits, payloadFolder, publishMessages, type PublishOutcome, type UnitMessage } from './publish-units';
