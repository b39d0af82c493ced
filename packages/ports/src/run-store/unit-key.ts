/** Identity of one unit of work. */
export interface UnitKey {
  eventId: string;
  entityIndex: number;
  run: string;
}

export const unitKeyText = (unit: UnitKey): string => `${unit.eventId}/${unit.entityIndex}/${unit.run}`;
