import { readFileSync } from 'node:fs';
import { CliError } from './cli-error';

/** The JSON of a file. Throws CliError naming the file and, where it is no JSON, the line. */
export function readJsonFile(path: string, what: string): unknown {
  const text = textOf(path, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(`${path} is no JSON: ${problemOf(text, error as Error)}`);
  }
}

function textOf(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : (error as Error).message;
    throw new CliError(`The ${what} cannot be read from ${path}: ${reason}.`);
  }
}

/** Newer Nodes say the line, older ones the position alone. */
function problemOf(text: string, { message }: Error): string {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position === undefined || message.includes('line')) return message;
  const before = text.slice(0, Number(position)).split('\n');
  return `${message} (line ${before.length} column ${before.at(-1)!.length + 1})`;
}
