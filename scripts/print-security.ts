import { type Cell, TRANSPORTS } from '../test/security/attack-classes/attack-class.ts';
import { ATTACK_CLASSES } from '../test/security/attack-classes/attack-classes.ts';
import { replaceSections, table } from './markdown.ts';

/** `docs/reference/security.md` with its tables generated from the registry of attack classes. */
export function printSecurity(page: URL): string {
  return replaceSections(page, { attacks: printTable(), reasons: printReasons(), references: printReferences() });
}

function printTable(): string {
  const notes = reasonNumbers();
  const cellOf = (cell: Cell) => (typeof cell === 'string' ? `(${notes.get(cell)})` : `${cell.length}`);
  const rows = ATTACK_CLASSES.map(({ number, name, cells }) => [
    String(number),
    name,
    ...TRANSPORTS.map((transport) => cellOf(cells[transport])),
  ]);
  return table(['#', 'attack', ...TRANSPORTS], rows);
}

function printReasons(): string {
  return [...reasonNumbers()].map(([reason, number]) => `${number}. ${reason}`).join('\n');
}

function reasonNumbers(): Map<string, number> {
  const reasons = ATTACK_CLASSES.flatMap(({ cells }) => TRANSPORTS.map((transport) => cells[transport]));
  const unique = [...new Set(reasons.filter((cell) => typeof cell === 'string'))];
  return new Map(unique.map((reason, index) => [reason, index + 1]));
}

/** The test files of each class, and advisories of other systems. */
function printReferences(): string {
  const rows = ATTACK_CLASSES.map(({ number, advisories = [], cells }) => {
    const held = TRANSPORTS.flatMap((transport) => (typeof cells[transport] === 'string' ? [] : [...cells[transport]]));
    const files = [...new Set(held.map(({ file }) => file.replace('test/', '').replace('.test.ts', '')))].sort();
    return [String(number), files.map((file) => `\`${file}\``).join(', '), advisories.join(', ')];
  });
  return table(['#', 'tests, under `test/`', 'advisories'], rows);
}
