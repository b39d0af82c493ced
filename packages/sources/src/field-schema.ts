/**
 * What the text of a field is, beyond its JSON type. The check of the field, the credentials that a publish looks for, and the
 * addresses that must not be private all follow from it.
 * - path: JSONPath into what the source receives
 * - cron: five fields, or an alias such as @hourly
 * - timezone: an IANA name
 * - url: absolute, http or https
 * - location: a folder that is watched, or an s3:// prefix; checked where the organization's folder is known
 * - encoding: a label that a text decoder knows
 * - headers: header name to value; carries no credential
 * - header_name: name of a header that requests are sent with
 * - credential_name: name of a credential of the organization
 * - login_name: name of a credential of type login
 * - credential_names: header name to such a name
 */
export type Holds =
  'path' | 'cron' | 'timezone' | 'url' | 'location' | 'encoding' | 'headers' | 'header_name'
  | 'credential_name' | 'login_name' | 'credential_names';

type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';

/** JSON Schema (2020-12) of one field, with what it holds. */
export interface SourceFieldSchema {
  readonly type?: JsonType;
  readonly description?: string;
  readonly 'x-holds'?: Holds;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: SourceFieldSchema;
  readonly properties?: Readonly<Record<string, SourceFieldSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | SourceFieldSchema;
}

/** The config of a source: closed, unlike the fields of a step. */
export interface SourceConfigSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, SourceFieldSchema & { readonly description: string }>>;
}
