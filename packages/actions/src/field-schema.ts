/**
 * How a field of a step is resolved before `run` sees it (docs/reference/config-document.md, References). A field without a
 * resolution keeps its authored value.
 * - reference: one value; the author must use a reference somewhere in the text
 * - template: authored text or object with references
 * - url: like template, references percent-encoded
 * - address: like url, but a text that is exactly a reference gives the whole address as the event has it
 * - list: a reference to a list, resolved to all its matches
 * - values: a template of a list, or a reference to a list, resolved to all its matches
 * - properties: an object of properties; an entry whose reference resolves to nothing is left out
 * - each: a function of one element (`$._item`); called without one it sees the step's own context
 */
export type Resolution = 'reference' | 'template' | 'url' | 'address' | 'list' | 'values' | 'each' | 'properties';

/** JSON Schema (2020-12) of one field, with how it is resolved. `Maximum`: what stands for the maxima. */
interface FieldSchemaOf<Maximum> {
  readonly type?:
    | 'string'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'object'
    | 'array'
    | readonly ('string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null')[];
  readonly description?: string;
  readonly 'x-resolve'?: Resolution;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: Maximum;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: Maximum;
  readonly minItems?: number;
  readonly maxItems?: Maximum;
  readonly minProperties?: number;
  readonly maxProperties?: Maximum;
  readonly items?: FieldSchemaOf<Maximum>;
  readonly properties?: Readonly<Record<string, FieldSchemaOf<Maximum>>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | FieldSchemaOf<Maximum>;
}

export type FieldSchema = FieldSchemaOf<number>;

/**
 * The fields of an action. Unknown ones are kept and ignored, so the object itself stays open. `required` types the fields for
 * `run`; `required_checks` refuses a step without them, in the action's own words.
 */
interface FieldsSchemaOf<Maximum> {
  readonly type: 'object';
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, FieldSchemaOf<Maximum> & { readonly description: string }>>;
}
/** As an action writes them: without maxima, which are `limits` of the action. */
export type StepFieldsSchema = FieldsSchemaOf<never>;

/** As configs are checked against them, with the maxima that `boundedSchema` adds. */
export type BoundedFieldsSchema = FieldsSchemaOf<number>;
