/** Prints what is derived from the code into committed files; with `--check`, fails when one of them is stale. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { printOpenApi } from '../rest-compat/openapi.ts';
import { ROUTES } from '../rest-compat/routes.ts';
import { schema } from '../schema/index.ts';

const files: Array<[path: string, text: string]> = [
  ['schema/schema.graphql', `${printSchema(lexicographicSortSchema(schema))}\n`],
  ['openapi.json', `${JSON.stringify(printOpenApi(schema, ROUTES), null, 2)}\n`],
];

const check = process.argv.includes('--check');
const stale = files.filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
for (const [path, text] of stale) if (!check) writeFileSync(path, text);
if (check && stale.length > 0) {
  console.error(`Stale: ${stale.map(([path]) => path).join(', ')}. Run npm run generate.`);
  process.exitCode = 1;
}
