/**
 * One setting, declared once: parsing, redaction and docs/settings.md come from it.
 * `default` is written as a user would write it in the environment. Without `default` and without `required`
 * the value is null while unset.
 */
export interface SettingDeclaration {
  /** Name of the environment variable. */
  env: string;
  type: SettingType;
  description: string;
  default?: string;
  required?: boolean;
  /** Bounds of a number, or of every number of a list; for seconds in seconds. */
  min?: number;
  max?: number;
  /** Allowed words of an `enum`, or names of a `map`. */
  options?: readonly string[];
  /** Allowed schemes of a `url`; default: http and https. */
  schemes?: readonly string[];
  /** Names of the variables without which this one is incomplete: they must be set when it is. */
  needs?: readonly string[];
  /** The same, by the value of this one. */
  needsFor?: Readonly<Record<string, readonly string[]>>;
  /** Never shown. `secret` and `keys` types are secret without saying so; a `url` may carry a password. */
  secret?: boolean;
  /** A secret generated only for this installation: it must be hard to guess. */
  ownSecret?: boolean;
  /** The text of docs/settings.md instead of the default, for defaults that depend on something else. */
  defaultText?: string;
}

const settingTypes = [
  'string',
  'secret',
  'keys',
  'mailbox',
  'url',
  'list',
  'addresses',
  'networks',
  'enum',
  'boolean',
  'integer',
  'number',
  'seconds',
  'seconds_list',
  'map',
] as const;
/**
 * `seconds` and `seconds_list` are written in seconds and read as milliseconds. `boolean` is `on` or `off`; `addresses` are
 * `host:port`, separated by commas; a `map` is `name=value`, separated by commas; `networks` are addresses and networks in CIDR
 * notation; `mailbox` is an email address, or a name and one; `keys` is the text of a keyring (`createKeyring`), checked.
 */
export type SettingType = (typeof settingTypes)[number];

export type SettingDeclarations = Readonly<Record<string, SettingDeclaration>>;

interface ValueOfType {
  string: string;
  secret: string;
  keys: string;
  mailbox: string;
  url: string;
  list: string[];
  addresses: string[];
  networks: string[];
  boolean: boolean;
  integer: number;
  number: number;
  seconds: number;
  seconds_list: number[];
  map: Readonly<Record<string, string>>;
}

type Parsed<D extends SettingDeclaration> = D['type'] extends 'enum'
  ? D extends { options: readonly (infer O)[] } ? O : string
  : D['type'] extends keyof ValueOfType ? ValueOfType[D['type']] : never;

type Value<D extends SettingDeclaration> = D extends { default: string } | { required: true } ? Parsed<D> : Parsed<D> | null;

/** The values of declared settings, by the declarations' keys. */
export type SettingValues<D extends SettingDeclarations> = { readonly [K in keyof D]: Value<D[K]> };

/** A titled bundle of declarations, as docs/settings.md shows it. */
export interface SettingsGroup {
  title: string;
  settings: SettingDeclarations;
}
