import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Puts the text of the `.graphql` files into the bundle, in place of the module that reads them from `rest-compat`. */
export const documentSources = {
  name: 'document-sources',
  setup({ onLoad }) {
    onLoad({ filter: /rest-compat\/document-sources\.ts$/ }, async ({ path }) => {
      const folder = dirname(path);
      const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.graphql')).sort();
      const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
      return { contents: `export const DOCUMENT_SOURCES = ${JSON.stringify(sources)};` };
    });
  },
};
