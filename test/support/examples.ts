import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '..', '..', 'rest-compat', 'asyncapi', 'examples.json');

/** With `WRITE_DOCS`, saves a message as its example in the AsyncAPI document unless there is one. */
export function keepExample(message: string | null, text: string): void {
  if (!process.env.WRITE_DOCS || message === null) return;
  const known = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as { [message: string]: object }) : {};
  const all = Object.entries({ [message]: shortened(text), ...known });
  const sorted = Object.fromEntries(all.sort(([one], [other]) => (one < other ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Keeps two records of each array. */
function shortened(text: string): object {
  const { data, ...envelope } = JSON.parse(text.replaceAll('http://files.test', 'https://community.example'));
  const cut = Object.entries(data).map(([name, value]) => [name, Array.isArray(value) ? value.slice(0, 2) : value]);
  return { ...envelope, data: Object.fromEntries(cut) };
}
