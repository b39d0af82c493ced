/** What the scaffolders share: names, and what they say. */

/** `update_by_id` or `update-by-id` -> `update-by-id`. */
export const kebab = (name) => name.replaceAll('_', '-');
/** `update-by-id` -> `update_by_id`. */
export const snake = (name) => name.replaceAll('-', '_');
/** `update-by-id` -> `updateById`. */
export const camel = (name) => kebab(name).replace(/-(\w)/g, (_dash, letter) => letter.toUpperCase());

/** Says what was made, after it was made: a name that is taken is refused before. */
export function announce(files) {
  process.stdout.write('Made:\n');
  for (const path of files) process.stdout.write(`  ${path}\n`);
}
