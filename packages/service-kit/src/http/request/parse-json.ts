import { isUtf8 } from 'node:buffer';
import { apiError, HttpError } from '../errors/http-error';
import { jsonBounds, jsonShape, type JsonProblem, type JsonShape } from './json-shape';
import { validationEntry } from '../validation/validation-entries';

const words: Record<Exclude<JsonProblem, 'malformed'>, string> = {
  too_deep: `Input is nested deeper than ${jsonBounds.depth} levels`,
  too_many_values: `Input has more than ${jsonBounds.values} values`,
  too_many_names: `Input has more than ${jsonBounds.names} different names of fields`,
};

/**
 * Parses a body as JSON in UTF-8, whatever its content type says. An empty one gives undefined. A text over the bounds is refused
 * before it is parsed.
 * @param looked called with the shape of the text, also when it is refused
 * @throws HttpError 400 `Malformed JSON`; 422 when it is over the bounds of `jsonBounds`
 */
export function parseJson(bytes: Buffer, looked?: (shape: JsonShape) => void): unknown {
  if (bytes.length === 0) return undefined;
  const shape = jsonShape(bytes);
  looked?.(shape);
  if (shape.problem !== null && shape.problem !== 'malformed')
    throw new HttpError(422, [validationEntry('body', [], 'value_error', words[shape.problem], null)]);
  if (shape.problem === 'malformed' || !isUtf8(bytes)) throw apiError('Malformed JSON');
  try {
    return JSON.parse(bytes.toString('utf8', startsWithMark(bytes) ? 3 : 0));
  } catch {
    // Neither the text nor the parser's message is sent, because they would repeat the body.
    throw apiError('Malformed JSON');
  }
}

/** A byte order mark, which some senders put in front. */
const startsWithMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
