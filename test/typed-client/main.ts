import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startGateway } from '../clients/gateway.ts';
import { buildGateway } from '../support/build-program.ts';

/**
 * Generates types from `openapi.json` with openapi-typescript, compiles a program on openapi-fetch against them, and
 * runs it against a gateway. The packages have a lock file of their own, because the generator needs an earlier TypeScript.
 */
const FOLDER = join(process.env.CLIENTS_FOLDER ?? join(tmpdir(), 'colloquy-clients'), 'typed-client');
const OPENAPI = join(import.meta.dirname, '..', '..', 'openapi.json');
const COMPILE = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--module', 'esnext'];
const MODULES = ['--moduleResolution', 'bundler', '--allowImportingTsExtensions', '--types', 'node'];

const run = promisify(execFile);
const bin = (name: string) => join(FOLDER, 'node_modules', '.bin', name);

await mkdir(FOLDER, { recursive: true });
for (const file of ['package.json', 'package-lock.json', 'smoke.ts']) {
  await copyFile(join(import.meta.dirname, file), join(FOLDER, file));
}
await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER, timeout: 300_000 });
await run(bin('openapi-typescript'), [OPENAPI, '-o', 'generated.d.ts'], { cwd: FOLDER });
console.log('The types are generated.');
await run(bin('tsc'), [...COMPILE, ...MODULES, 'smoke.ts'], { cwd: FOLDER }).catch(({ stdout, message }) => {
  throw new Error(`${message}\n${stdout}`);
});
console.log('The program compiles.');

const program = await buildGateway();
const gateway = await startGateway(program);
try {
  const env = { ...process.env, URL: gateway.url, API_KEY: gateway.apiKey };
  const tsx = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'tsx');
  const { stdout } = await run(tsx, ['smoke.ts'], { cwd: FOLDER, env, timeout: 60_000 });
  process.stdout.write(stdout);
} finally {
  await gateway.close();
  await program.remove();
}
