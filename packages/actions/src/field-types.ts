import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { FieldSchema, StepFieldsSchema } from './field-schema';

/** The fields of an action as the author writes them. All are optional: a draft is checked when it is incomplete, too. */
export type AuthoredFields<Schema extends StepFieldsSchema> = {
  [Name in keyof Schema['properties']]?: Authored<Schema['properties'][Name]>;
};

/** The fields as `run` sees them: references are resolved, what the schema requires is there. */
export type ResolvedFields<Schema extends StepFieldsSchema> = ResolvedObject<Schema['properties'], RequiredNames<Schema>>;

type Authored<Field> = Field extends JSONSchema ? FromSchema<Field, { keepDefaultedPropertiesOptional: true }> : never;

type RequiredNames<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type ResolvedObject<Fields, Required> = {
  [Name in Extract<keyof Fields, Required>]: ResolvedField<Fields[Name]>;
} & {
  [Name in Exclude<keyof Fields, Required>]?: ResolvedField<Fields[Name]>;
};

/** One field as `run` sees it. */
export type ResolvedField<Field> = Field extends { readonly 'x-resolve': infer Resolution }
  ? ResolvedBy<Field, Resolution>
  : Field extends { readonly type: 'array'; readonly items: infer Item extends FieldSchema }
    ? ResolvedField<Item>[]
    : Field extends { readonly type: 'object'; readonly properties: infer Fields }
      ? ResolvedObject<Fields, RequiredNames<Field>>
      : Plain<Field>;

/** Written out: FromSchema inside of `run` is deeper than the compiler goes. */
type Plain<Field> = Field extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Field extends { readonly type: infer Type extends keyof PlainTypes }
    ? PlainTypes[Type]
    : unknown;

interface PlainTypes {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  object: Record<string, unknown>;
}

/** A reference may give a value of any type: `run` looks at what it got. */
type ResolvedBy<Field, Resolution> = Resolution extends 'url'
  ? string
  : Resolution extends 'list' | 'values'
    ? unknown[] | null
    : Resolution extends 'each'
      ? (item?: unknown) => unknown
      : Field extends { readonly type: 'object' }
        ? Record<string, unknown>
        : unknown;
