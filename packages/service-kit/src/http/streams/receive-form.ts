import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FieldsOf, FilesOf, RouteContract, RouteFile, RouteForm, ValidationEntry } from '@sluice/contracts';
import busboy from 'busboy';
import { type FieldsCheck, fieldsCheck } from '../validation/check-request';
import { apiError, HttpError } from '../errors/http-error';
import { validationEntry } from '../validation/validation-entries';
import { bodyStream } from './body-stream';

/** A file of a form while it arrives. */
export interface IncomingFile {
  /** The last part of its path, as the sender gave it: any text. null: none was given. */
  filename: string | null;
  /** As the sender gave it: `text/csv`. */
  contentType: string;
  /** Breaks with HttpError 413 behind the file's `maxBytes`, and with what breaks the whole body. */
  bytes: Readable;
}

/** Takes a file: reads its bytes to their end, and says what became of it. */
export type FileSink<T> = (file: IncomingFile) => Promise<T>;

type Sinks<F> = { readonly [Name in keyof F]: FileSink<unknown> };

/** A form that was received whole: its fields, checked, and what the sinks gave. */
export interface ReceivedForm<R, S extends Sinks<FilesOf<R>>> {
  fields: FieldsOf<R>;
  files: {
    [Name in keyof S]: Name extends keyof FilesOf<R>
      ? FilesOf<R>[Name] extends { required: true } ? Awaited<ReturnType<S[Name]>> : Awaited<ReturnType<S[Name]>> | undefined
      : never;
  };
}

/** The multipart body of a request, which the handler receives when it is ready to. */
export interface FormReader<R> {
  /**
   * Reads the body to its end. Each file goes to its sink as it arrives; fields may come before or after the files. When it
   * throws, sinks may have stored files already: the caller deletes them.
   * @throws HttpError 422 with every problem of the fields and every missing file; 413, 408, 400; what a sink throws
   */
  receive<S extends Sinks<FilesOf<R>>>(sinks: S): Promise<ReceivedForm<R, S>>;
}

/** Names of fields, headers of a part: none of ours comes near. */
const partLimits = { fieldNameSize: 200, headerPairs: 50 };
/** Bytes that boundaries and headers of all parts take together. */
const wrapping = 65_536;
const usualFieldBytes = 65_536;

/** The forms of a route's requests. Of a request nothing is read before `receive`. */
export function formReaders(contract: RouteContract, form: RouteForm) {
  const check = fieldsCheck(form.fields, contract.secretFields);
  const { fieldBytes = usualFieldBytes, files } = form;
  const fileBytes = Object.values(files).reduce((sum, file) => sum + file.maxBytes, 0);
  const maxBytes = fileBytes + fieldBytes * fieldCount(form) + wrapping;
  return (request: IncomingMessage, idleMs: number): FormReader<RouteContract> => {
    const receive = async (sinks: Sinks<Record<string, unknown>>): Promise<ReceivedForm<RouteContract, never>> => {
      const parser = parserOf(request, form, fieldBytes);
      const received = new FormReception(form, sinks, parser);
      try {
        await pipeline(bodyStream(request, { maxBytes, idleMs }), parser);
      } catch (error) {
        await received.settled();
        throw received.failure ?? (error instanceof HttpError ? error : apiError('Malformed form'));
      }
      return (await received.result(check)) as ReceivedForm<RouteContract, never>;
    };
    return { receive };
  };
}

const fieldCount = ({ fields }: RouteForm): number =>
  Object.keys((fields as { properties?: object }).properties ?? {}).length;

function parserOf(request: IncomingMessage, form: RouteForm, fieldBytes: number): busboy.Busboy {
  try {
    // One more of each than is allowed: so that what is too much is named.
    const counts = { fields: fieldCount(form) + 1, files: Object.keys(form.files).length + 1 };
    const limits = { ...partLimits, ...counts, fieldSize: fieldBytes + 1 };
    return busboy({ headers: request.headers, defParamCharset: 'utf8', limits });
  } catch {
    throw apiError('Malformed form');
  }
}

/**
 * What has arrived of one form. Invariant: at most one file is under way; the first failure of a sink ends the parser, and
 * `failure` keeps it.
 */
class FormReception {
  failure: Error | undefined;
  private readonly fields = new Map<string, string>();
  private readonly files = new Map<string, unknown>();
  private readonly problems: ValidationEntry[] = [];
  private readonly sinking: Promise<void>[] = [];

  constructor(
    private readonly form: RouteForm,
    private readonly sinks: Sinks<Record<string, unknown>>,
    private readonly parser: busboy.Busboy,
  ) {
    parser.on('field', (name, value, cut) => this.keep(name, value, cut));
    parser.on('file', (name, bytes, { filename, mimeType }) => {
      // A part that is cut off ends with an error, which the parser reports for the whole body.
      bytes.on('error', () => undefined);
      const [file, sink] = [this.fileOf(name), this.sinks[name]];
      if (!file || !sink) this.skip(bytes, name, 'extra_forbidden', 'Extra inputs are not permitted');
      else if (this.files.has(name)) this.skip(bytes, name, 'value_error', 'The file is given twice');
      else {
        this.files.set(name, undefined);
        const incoming = { filename: filename ?? null, contentType: mimeType, bytes: this.bounded(bytes, file, name) };
        this.sinking.push(this.take(name, incoming, sink));
      }
    });
    parser.on('filesLimit', () => this.refuse([], 'too_many_files', 'The form has too many files'));
    parser.on('fieldsLimit', () => this.refuse([], 'too_many_fields', 'The form has too many fields'));
  }

  /** Resolves when no sink is at work any more. */
  async settled(): Promise<void> {
    await Promise.all(this.sinking);
  }

  /** @throws what a sink threw; HttpError 422 */
  async result(check: FieldsCheck): Promise<{ fields: unknown; files: unknown }> {
    await this.settled();
    if (this.failure !== undefined) throw this.failure;
    const fields = Object.fromEntries(this.fields);
    const missing = Object.entries(this.form.files)
      .filter(([name, { required }]) => required && !this.files.has(name))
      .map(([name]) => validationEntry('body', [name], 'missing', 'A file is required here', null));
    const entries = [...check(fields), ...missing, ...this.problems];
    if (entries.length > 0) throw new HttpError(422, entries);
    return { fields, files: Object.fromEntries(this.files) };
  }

  private keep(name: string, value: string, { valueTruncated, nameTruncated }: busboy.FieldInfo): void {
    const { fieldBytes = usualFieldBytes } = this.form;
    if (nameTruncated) this.fail(apiError('payload_too_large', { limit_bytes: partLimits.fieldNameSize }));
    else if (valueTruncated) this.fail(apiError('payload_too_large', { limit_bytes: fieldBytes, field: name }));
    else if (this.fields.has(name)) this.refuse([name], 'value_error', 'The field is given twice');
    else this.fields.set(name, value);
  }

  private fileOf(name: string): RouteFile | undefined {
    return Object.hasOwn(this.form.files, name) ? this.form.files[name] : undefined;
  }

  /** The bytes of a file, which break with 413 behind its bound. */
  private bounded(bytes: Readable, { maxBytes }: RouteFile, field: string): Readable {
    let size = 0;
    const bound = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        size += chunk.length;
        if (size > maxBytes) done(apiError('payload_too_large', { limit_bytes: maxBytes, field }));
        else done(null, chunk);
      },
    });
    bound.on('error', (error) => this.fail(error));
    bytes.once('error', (error) => bound.destroy(error instanceof HttpError ? error : apiError('Malformed form')));
    return bytes.pipe(bound);
  }

  private async take(name: string, file: IncomingFile, sink: FileSink<unknown>): Promise<void> {
    try {
      this.files.set(name, await sink(file));
      // What the sink did not want.
      file.bytes.resume();
    } catch (error) {
      this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.failure ??= error instanceof Error ? error : new Error(String(error));
    this.parser.destroy(this.failure);
  }

  private refuse(field: readonly string[], type: string, msg: string): void {
    this.problems.push(validationEntry('body', field, type, msg, null));
  }

  private skip(bytes: Readable, name: string, type: string, msg: string): void {
    this.refuse([name], type, msg);
    bytes.resume();
  }
}
