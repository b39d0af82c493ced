/** A source for checks: its config fits the schema, and fields given as null are left out. */
export interface CheckedSource<Config> {
  name: string;
  config: Config;
}
