/**
 * Blocks of a hand-written file that `npm run gen` writes. A block stands between two comments of its file:
 *   # begin <name> (written by `npm run gen`)
 *   # end <name>
 * In Markdown the comments are `<!-- begin <name> ... -->`.
 */
import { StepError } from './steps.mjs';

/**
 * The text with the content of one block replaced.
 * @param {string} text of the file
 * @param {string} name of the block
 * @param {string} content whole lines, indented as the file needs them
 * @param {string} file for the error
 */
export function withBlock(text, name, content, file) {
  const lines = text.split('\n');
  const at = (word) => lines.findIndex((line) => new RegExp(`^\\s*(?:#|<!--) ${word} ${name}(?: |$)`).test(line));
  const [begin, end] = [at('begin'), at('end')];
  if (begin < 0 || end < begin) throw new StepError(`${file} has no block "${name}" any more (a comment "begin ${name}" and one "end ${name}").`);
  const inside = content === '' ? [] : content.replace(/\n$/, '').split('\n');
  return [...lines.slice(0, begin + 1), ...inside, ...lines.slice(end)].join('\n');
}
