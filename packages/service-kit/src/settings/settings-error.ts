/** Everything that is wrong with the settings, at once. The message is all a user needs and holds no values. */
export class SettingsError extends Error {
  override name = 'SettingsError';

  /** @param problems one sentence each, starting with the variable's name */
  constructor(readonly problems: readonly string[]) {
    super(`The settings are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
  }
}
