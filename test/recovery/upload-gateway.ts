import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/process/start.ts';

/** Uploads a file that exceeds the disk of the folder, then a small one; prints both responses. */
const [folder = ''] = process.argv.slice(2);
// Keys and store need little space; only the upload exceeds the limit.
const config = readConfig({
  PORT: '0',
  DATA_DIR: folder,
  LOG_LEVEL: 'silent',
  NODE_ENV: 'test',
  RATE_LIMITS: 'off',
  SAMPLE_DATA: 'none',
});
const gateway = await start(config);
const session = await fetch(`${gateway.url}/api/v5/sessions`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-api-key': gateway.keys.API_KEY },
  body: JSON.stringify({ userId: 'alice', deviceId: 'd' }),
});
const { accessToken } = (await session.json()) as { accessToken: string };

async function upload(bytes: number) {
  const body = new FormData();
  body.append('files', new Blob([new Uint8Array(bytes)]), 'x.bin');
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await fetch(`${gateway.url}/api/v4/files`, { method: 'POST', headers, body });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
}

const large = await upload(12 * 1_048_576);
const left = await readdir(join(folder, 'files'));
// The store may have hit the full disk too; it checks twice a second whether there is space again.
const failures: number[] = [];
let small = await upload(1_000);
for (let tries = 0; tries < 60 && small.status !== 200; tries += 1) {
  failures.push(small.status);
  await pause(500);
  small = await upload(1_000);
}
const kept = await readdir(join(folder, 'files'));
console.log(JSON.stringify({ large, left, small: small.status, failures, kept: kept.length }));
await gateway.close();
process.exit(0);
