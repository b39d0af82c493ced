import type { ImportRow } from '@sluice/contracts';

/** The column import_row: `<import_id>/<line>`. */
export const importRowText = (row: ImportRow | null): string | null => row && `${row.import_id}/${row.line}`;

export function importRowOf(text: string | null): ImportRow | null {
  if (text === null) return null;
  const [importId = '', line] = text.split('/');
  return { import_id: importId, line: Number(line) };
}
