import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { JsonSchema } from './route';

/** The type a schema literal describes; unknown when it is not a literal. */
type Typed<S> = S extends JSONSchema ? FromSchema<S, { keepDefaultedPropertiesOptional: true }> : unknown;
/** Query and path are filled with their defaults, so a field with a default is always there. */
type TypedText<S> = S extends JSONSchema ? FromSchema<S> : unknown;

/** Types of a contract's parts, inferred from its schema literals; undefined for a part it does not have. */
export type BodyOf<R> = R extends { body: infer S extends JsonSchema }
  ? R extends { form: unknown } ? Typed<S> | undefined : Typed<S>
  : undefined;
/** The text fields of a contract's form, as the handler gets them. */
export type FieldsOf<R> = R extends { form: { fields: infer S extends JsonSchema } } ? TypedText<S> : never;
/** The files of a contract's form, by name. */
export type FilesOf<R> = R extends { form: { files: infer F } } ? F : never;
/** As the handler gets it. */
export type QueryOf<R> = R extends { query: infer S extends JsonSchema } ? TypedText<S> : undefined;
/** As a caller gives it: what has a default may be left out. */
export type GivenQueryOf<R> = R extends { query: infer S extends JsonSchema } ? Typed<S> : undefined;
export type ParamsOf<R> = R extends { params: infer S extends JsonSchema } ? TypedText<S> : undefined;
/** The success codes a contract names. */
export type StatusOf<R> = R extends { answers: infer A } ? Extract<keyof A, number> : number;
/** The bodies of the success codes; null for one without a body. */
export type AnswerOf<R> = R extends { answers: infer A }
  ? { [Status in keyof A]: A[Status] extends { stream: string } ? StreamedAnswer
    : A[Status] extends { schema: infer S extends JsonSchema } ? Typed<S> : null }[keyof A]
  : unknown;
/** Stands for an answer that is a stream. */
export interface StreamedAnswer {
  readonly streamed: true;
}
/** The error codes that a route names beyond the common ones. */
export type ErrorCodeOf<R> = R extends { errors: readonly (infer Code extends string)[] } ? Code : string;
