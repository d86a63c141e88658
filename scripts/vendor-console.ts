import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the exports of React and Ariakit that the console uses into `console/generated/vendor.js`. The gateway builds
 * the console at its start: with this file, production does not install these packages and their 19 MB.
 * With `--check`, fails if the file is not current.
 */
const FOLDER = fileURLToPath(new URL('../console/', import.meta.url));
const FILE = `${FOLDER}generated/vendor.js`;

const { outputFiles } = await build({
  absWorkingDir: FOLDER,
  entryPoints: ['vendor.ts'],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  define: { 'process.env.NODE_ENV': '"production"' },
  minify: true,
  lineLimit: 200,
  legalComments: 'inline',
  charset: 'utf8',
  banner: { js: `/* ${licenses().join('; ')} */` },
});
const text = outputFiles[0]!.text;

if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('console/generated/vendor.js is stale: run npm run generate:console');
  process.exitCode = 1;
}

function licenses(): string[] {
  return ['react', 'react-dom', 'scheduler', '@ariakit/react'].map((name) => {
    const { version, license } = JSON.parse(
      readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url), 'utf8'),
    ) as { version: string; license: string };
    return `${name} ${version} (${license} license)`;
  });
}
