/** Lines of a table: headings, a rule, rows. Columns whose cells are all numbers stand right. */
export function textTable(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const cells = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const numeric = headings.map((_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]): string =>
    `  ${row
      .map((cell, column) => (numeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join('   ')
      .trimEnd()}`;
  const [head, ...body] = cells;
  return [line(head!), `  ${widths.map((width) => '─'.repeat(width)).join('   ')}`, ...body.map(line)];
}
