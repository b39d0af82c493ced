import type { ObjectType } from '../model/object-types';
import { standardProperties } from './standard-properties';
import type { PropertyDefinition } from './property-definition';

/** A property group of an object type. */
export interface PropertyGroup {
  readonly name: string;
  readonly label: string;
  readonly displayOrder: number;
  readonly archived: boolean;
}

/** The property definitions and groups of one object type of one portal. Archived properties keep their name. */
export interface TypeDefinitions {
  readonly properties: Map<string, PropertyDefinition>;
  readonly groups: Map<string, PropertyGroup>;
}

/** What a type starts with: its standard properties in its default group. */
export function startingDefinitions(type: ObjectType, now: number): TypeDefinitions {
  return {
    properties: new Map(standardProperties(type, now).map((definition) => [definition.name, definition])),
    groups: new Map([
      [type.defaultGroup, { name: type.defaultGroup, label: `${type.singular} information`, displayOrder: 0, archived: false }],
    ]),
  };
}

/** The definition of a live property; archived ones do not exist for records. */
export function liveProperty(definitions: TypeDefinitions, name: string): PropertyDefinition | undefined {
  const found = definitions.properties.get(name);
  return found?.archived ? undefined : found;
}
