/**
 * Arguments of `python3` that install packages; `--target` and their names follow. pip asks the registry again when that does not
 * answer.
 */
export const pipInstall = [
  '-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check', '--retries', '10', '--timeout', '60',
];
