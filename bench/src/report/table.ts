/** Prints rows as a table with aligned columns: one for each key that a row has. */
export function printTable(title: string, rows: readonly Record<string, unknown>[]): void {
  console.log(`\n${title}`);
  if (rows.length === 0) return;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  for (const row of cells)
    console.log(
      `  ${row.map((cell, index) => (index === 0 ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!))).join('   ')}`,
    );
}

function show(value: unknown): string {
  if (typeof value === 'number')
    return Math.abs(value) >= 100 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') : value.toPrecision(3);
  if (value === null || value === undefined) return '-';
  return typeof value === 'object'
    ? Object.entries(value)
        .map(([name, held]) => `${name} ${show(held)}`)
        .join(', ')
    : String(value);
}
