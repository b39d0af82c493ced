import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** An operation that the CRM's own client library knows, as its generated code declares it. */
export interface DeclaredOperation {
  /** Folder below the client's generated code, such as `crm/contacts`. */
  readonly area: string;
  readonly method: string;
  /** `{name}` is one segment. */
  readonly path: string;
  /** The 2xx codes that the client takes; every other one is an error to it. */
  readonly codes: readonly number[];
}

const codegen = join(dirname(require.resolve('@hubspot/api-client/package.json')), 'lib', 'codegen');

/** Every operation of the client library. */
export function declaredOperations(): DeclaredOperation[] {
  return readdirSync(codegen, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('Api.js'))
    .flatMap((file) => operationsOf(relative('.', dirname(dirname(file))), readFileSync(join(codegen, file), 'utf8')));
}

function operationsOf(area: string, source: string): DeclaredOperation[] {
  const [requests = '', answers = ''] = source.split(/^class \w+ResponseProcessor/m);
  const codesOf = new Map(
    answers.split(/^ {4}(?=\w+WithHttpInfo\(response\))/m).map((method) => [
      /^\w+(?=WithHttpInfo)/.exec(method)?.[0],
      [...method.matchAll(/isCodeInRange\)\("(2\d\d)"/g)].map(([, code]) => Number(code)),
    ]),
  );
  const declared = /^ {4}(\w+)\([^)]*_options\) \{[^]*?localVarPath = '([^']+)'[^]*?HttpMethod\.(\w+)\)/gm;
  return [...requests.matchAll(declared)].map(([, name, path, method]) => ({
    area, method: method!, path: path!, codes: codesOf.get(name!) ?? [],
  }));
}

/** The codes that the client takes as success of a call; undefined when it does not know the call. */
export function declaredCodes(method: string, path: string): readonly number[] | undefined {
  const segments = segmentsOf(path);
  const fits = (operation: DeclaredOperation): boolean => {
    const wanted = segmentsOf(operation.path);
    return operation.method === method && wanted.length === segments.length
      && wanted.every((segment, index) => segment.startsWith('{') || segment === segments[index]);
  };
  // The operation with the most literal segments is meant: `/files/search` is no `/files/{fileId}`.
  const variable = ({ path: one }: DeclaredOperation): number => one.split('{').length;
  return all().filter(fits).sort((one, other) => variable(one) - variable(other))[0]?.codes;
}

let known: DeclaredOperation[] | undefined;
const all = (): DeclaredOperation[] => (known ??= declaredOperations());

const segmentsOf = (path: string): string[] => path.split('?')[0]!.split('/').filter(Boolean);
