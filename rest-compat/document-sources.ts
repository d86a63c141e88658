import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of every `.graphql` file of this folder. The build replaces this module by its value. */
export const DOCUMENT_SOURCES: readonly string[] = readdirSync(import.meta.dirname, {
  recursive: true,
  encoding: 'utf8',
})
  .filter((file) => file.endsWith('.graphql'))
  .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
