import type { PropertyValue } from '@sluice/ports';
import type { UnitContext } from './unit-context';

/** Who asks. */
export interface Asked {
  unit: UnitContext;
}
/** Values on their way to a record. */
interface WriteAsk extends Asked {
  /**
   * Asked at the moment of sending: whether something newer has landed since the unit looked. It is then left out (code
   * `superseded`).
   */
  superseded?(): boolean;
}
/** New values for a record whose id is known. */
export interface UpdateAsk extends WriteAsk {
  id: string;
  properties: Record<string, PropertyValue>;
}
/** A record to be made, or found by its identity. */
export interface CreateAsk extends WriteAsk {
  identityValue: string;
  properties: Record<string, PropertyValue>;
}
/** One value to look for. */
export interface ReadAsk extends Asked {
  value: string;
}
