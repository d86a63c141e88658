import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = new URL('../console/', import.meta.url);
const VENDOR = fileURLToPath(new URL('generated/vendor.js', ROOT));

/** Packages whose used exports are in `console/generated/vendor.js`: a production install does not contain them. */
const VENDORED = /^(react|react-dom|@ariakit\/react)(\/|$)/;

/**
 * Builds the console. The names of scripts and styles contain a hash of their content, so browsers cache them for ever.
 *
 * @returns {Promise<{ path: string, contents: Buffer }[]>} `index.html`, and files in `assets/`
 */
export async function buildConsole() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(ROOT),
    entryPoints: { console: 'src/main.tsx' },
    outdir: 'assets',
    entryNames: '[name]-[hash]',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    legalComments: 'inline',
    charset: 'utf8',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [vendored],
    logLevel: 'warning',
  });
  const names = Object.keys(metafile.outputs).map((path) => basename(path));
  const find = (extension) => names.find((name) => name.endsWith(extension));
  const template = await readFile(new URL('index.html', ROOT), 'utf8');
  const html = template.replace('%SCRIPT%', find('.js')).replace('%STYLE%', find('.css'));
  return [
    { path: 'index.html', contents: Buffer.from(html) },
    { path: 'assets/icon.svg', contents: await readFile(new URL('icon.svg', ROOT)) },
    ...outputFiles.map(({ path, contents }) => ({ path: `assets/${basename(path)}`, contents: Buffer.from(contents) })),
  ];
}

const vendored = {
  name: 'vendored',
  setup({ onResolve }) {
    onResolve({ filter: VENDORED }, () => ({ path: VENDOR }));
  },
};
