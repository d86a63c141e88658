import { mkdirSync } from 'node:fs';
import { fill } from './bench/http/reads.ts';
import { FULL } from './bench/settings.ts';
import { startStore } from './bench/store/servers.ts';

mkdirSync('/tmp/filled', { recursive: true });
const s = await startStore('/tmp/filled');
console.log(await fill(s.uri, FULL, FULL.many));
await s.stop();
