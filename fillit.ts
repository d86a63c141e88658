import { fill } from './bench/http/reads.ts';
import { startStore } from './bench/store/servers.ts';
import { FULL } from './bench/settings.ts';
import { mkdirSync } from 'node:fs';
mkdirSync('/tmp/filled', { recursive: true });
const s = await startStore('/tmp/filled');
console.log(await fill(s.uri, FULL, FULL.many)); await s.stop();
