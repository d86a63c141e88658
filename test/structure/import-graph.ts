import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');
const FOLDERS = ['schema', 'src', 'rest-compat'];

export interface Import {
  /** Path of the importing file, relative to the repository. */
  from: string;
  /** Path of the imported file, or the name of a package. */
  to: string;
  typeOnly: boolean;
}

/** Paths of all source files, relative to the repository. */
export const sourceFiles = FOLDERS.flatMap((folder) => listFiles(join(ROOT, folder))).map((path) =>
  relative(ROOT, path),
);

/** Every import and re-export of the source files. */
export const imports: Import[] = sourceFiles.flatMap(importsOf);

export function readSource(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? listFiles(path) : path.endsWith('.ts') ? [path] : [];
  });
}

function importsOf(path: string): Import[] {
  const statements = readSource(path).matchAll(
    /(?:^|\n)(?:import|export)\s+(type\s+)?[^;]*?from\s+'([^']+)'|import\(\s*'([^']+)'\s*\)|(?:^|\n)import\s+'([^']+)'/g,
  );
  return [...statements].map(([, typeOnly, named, dynamic, bare]) => {
    const target = named ?? dynamic ?? bare ?? '';
    return {
      from: path,
      to: target.startsWith('.') ? join(dirname(path), target) : target,
      typeOnly: typeOnly !== undefined,
    };
  });
}
