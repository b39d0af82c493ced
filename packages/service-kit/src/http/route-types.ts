import type { JsonSchema } from '@sluice/contracts';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** The type a schema literal describes; unknown when it is not a literal. */
type Typed<S> = S extends JSONSchema ? FromSchema<S, { keepDefaultedPropertiesOptional: true }> : unknown;
/** Query and path are filled with their defaults, so a field with a default is always there. */
type TypedText<S> = S extends JSONSchema ? FromSchema<S> : unknown;

/** Types of a contract's parts, inferred from its schema literals; undefined for a part it does not have. */
export type BodyOf<R> = R extends { body: infer S extends JsonSchema } ? Typed<S> : undefined;
export type QueryOf<R> = R extends { query: infer S extends JsonSchema } ? TypedText<S> : undefined;
export type ParamsOf<R> = R extends { params: infer S extends JsonSchema } ? TypedText<S> : undefined;
/** The success codes a contract names. */
export type StatusOf<R> = R extends { answers: infer A } ? Extract<keyof A, number> : number;
