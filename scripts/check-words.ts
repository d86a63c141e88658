/**
 * Keeps words and constructions that readers stumble over out of the repository: `npm run check:words` fails when a
 * folder contains more of them than `banned-words.json` allows. `--write` lowers the allowance to what is found, and
 * `--list [folder]` prints each occurrence.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Rule {
  readonly pattern: RegExp;
  /** What to write instead. */
  readonly instead: string;
}

export const RULES: readonly Rule[] = [
  { pattern: /\b(?:un)?told\b|\btells?\b/gi, instead: 'delivered, notified, reported, emitted, says' },
  { pattern: /\bwho(?:m|se)?(?:so)?ever\b/gi, instead: 'authorized users, users who …, the client that …' },
  { pattern: /\banew\b/gi, instead: 'again, re-' },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, instead: 'fix, repair' },
  { pattern: /\bin vain\b/gi, instead: 'without success, cannot succeed' },
  { pattern: /\bat once\b/gi, instead: 'immediately, or concurrently' },
  { pattern: /\b(?:goes|went) on\b/gi, instead: 'continues, continued' },
  { pattern: /\b(?:comes?|came) back\b/gi, instead: 'reconnects, returns' },
  { pattern: /\bas far as\b/gi, instead: 'where, to the extent that' },
  { pattern: /\b(?:is|are) to be had\b/gi, instead: 'is available' },
  { pattern: /\bwhat came since\b/gi, instead: 'later events' },
  { pattern: /\bof one's own\b/gi, instead: 'own, separate' },
  { pattern: /\bstands? in\b/gi, instead: 'is in, belongs to' },
  { pattern: /\bthe house\b/gi, instead: 'the project' },
  { pattern: /\bdoors?\b/gi, instead: 'transport, API' },
  { pattern: /\bnouns?\b/gi, instead: 'resource' },
  { pattern: /\blives\b/gi, instead: 'exists, is active, is in' },
  { pattern: /\bturnstiles?\b|\bput-?ins?\b/gi, instead: 'semaphore, enqueue' },
  { pattern: /\blanes?\b/gi, instead: 'queue' },
  { pattern: /\bscenes?\b/gi, instead: 'event view, fixture' },
  { pattern: /\b(?:is|are|was|were|be|been) asked\b|\basked for\b/gi, instead: 'requested, queried' },
  {
    pattern: /\bthat which\b|\bwhose it (?:is|was)\b|\bwhat (?:it|they) (?:stands?|is|are) for\b/gi,
    instead: 'the name of the thing',
  },
  { pattern: /\bforlorn\b|\bheeds?\b|\bhitherto\b|\bthereof\b/gi, instead: 'a plain word' },
  {
    pattern: /§|\blegacy-(?:facts|surface)\b|(?<![\w/])decisions\.md\b|\b(?:attacks|interface) \d/g,
    instead: 'docs/interface.md, with an anchor',
  },
];

export interface Finding {
  readonly line: number;
  readonly found: string;
  readonly instead: string;
}

/** The banned words of a text, by line and rule. */
export function findBannedWords(text: string): Finding[] {
  return text
    .split('\n')
    .flatMap((content, index) =>
      RULES.flatMap(({ pattern, instead }) =>
        [...content.matchAll(pattern)].map(([found]) => ({ line: index + 1, found, instead })),
      ),
    );
}

const ROOT = join(import.meta.dirname, '..');
const ALLOWANCE = join(import.meta.dirname, 'banned-words.json');
const EXTENSIONS = new Set(['.ts', '.mjs', '.js', '.md', '.graphql', '.json', '.html', '.yml']);
const FOLDERS = ['bench', 'docs', 'rest-compat', 'schema', 'scripts', 'src', 'test'];
/** Files that contain the words as data: this check, its test, recordings and generated documents. */
const EXEMPT =
  /^scripts\/(?:check-words\.ts|banned-words\.json)$|^test\/docs\/banned-words\.test\.ts$|\/fixtures\/|\/generated\//;

/** The files by the name of their allowance: of a file in the root its own name, of `src/x/…` `src/x`. */
function filesByFolder(): Map<string, string[]> {
  const files = new Map<string, string[]>();
  const add = (folder: string, file: string) => {
    if (EXTENSIONS.has(extname(file)) && !EXEMPT.test(file)) files.set(folder, [...(files.get(folder) ?? []), file]);
  };
  for (const { name } of readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isFile()))
    if (name !== 'package-lock.json') add(name, name);
  for (const top of FOLDERS) {
    for (const entry of readdirSync(join(ROOT, top), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = relative(ROOT, join(entry.parentPath, entry.name));
      const [first, second, ...rest] = file.split('/');
      add(rest.length > 0 && first !== 'docs' ? `${first}/${second}` : first!, file);
    }
  }
  return files;
}

function main(flags: readonly string[]): void {
  const allowed: Record<string, number> = JSON.parse(readFileSync(ALLOWANCE, 'utf8'));
  const counts: Record<string, number> = {};
  const listed = flags[0] === '--list' ? (flags[1] ?? '') : undefined;
  for (const [folder, files] of [...filesByFolder()].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const lines = files.flatMap((file) =>
      findBannedWords(readFileSync(join(ROOT, file), 'utf8')).map(
        ({ line, found, instead }) => `${file}:${line}: "${found}" (write: ${instead})`,
      ),
    );
    if (lines.length > 0) counts[folder] = lines.length;
    const exceeds = lines.length > (allowed[folder] ?? 0) && !flags.includes('--write');
    if (exceeds || listed === '' || listed === folder) console.error(lines.join('\n'));
    if (exceeds) {
      console.error(`${folder}: ${lines.length} banned words, allowed are ${allowed[folder] ?? 0}.`);
      process.exitCode = 1;
    }
  }
  if (flags.includes('--write')) writeFileSync(ALLOWANCE, `${JSON.stringify(counts, null, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1]!).href) main(process.argv.slice(2));
