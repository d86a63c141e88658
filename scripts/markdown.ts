import { readFileSync } from 'node:fs';

/** A table as Prettier would align it. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((cells) => cells[column]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The page with each section, the text between `<!-- name -->` and `<!-- /name -->`, replaced by the printed one. */
export function replaceSections(page: URL, sections: { readonly [name: string]: string }): string {
  let text = readFileSync(page, 'utf8');
  for (const [name, printed] of Object.entries(sections)) {
    const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(opening), text.indexOf(closing)];
    if (start < 0 || end < start) throw new Error(`${page.pathname} has no section ${name}`);
    text = `${text.slice(0, start + opening.length)}\n\n${printed}\n\n${text.slice(end)}`;
  }
  return text;
}
