export type Cell = string | number;

/** A plain-text table; the first column is left-aligned, the others right-aligned. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly Cell[]>): string {
  const texts = [head, ...rows.map((row) => row.map(text))];
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)));
  return texts
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function text(cell: Cell): string {
  if (typeof cell === 'string') return cell;
  if (Number.isNaN(cell)) return '–';
  return cell.toLocaleString('en', { maximumFractionDigits: Math.abs(cell) < 100 ? 2 : 0 });
}
