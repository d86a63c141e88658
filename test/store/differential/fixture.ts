import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { EJSON } from 'bson';
import type { Script } from './script.ts';

/** A script with what a real MongoDB 7.0 answered to each of its steps. */
export interface Recorded {
  script: Script;
  answers: (string | undefined)[];
}

const FILE = new URL('../fixtures/differential.json.gz', import.meta.url);

export function readRecorded(): Recorded[] {
  const recorded = EJSON.parse(gunzipSync(readFileSync(FILE)).toString(), { relaxed: false }) as Recorded[];
  return recorded.map(({ script, answers }) => ({ script, answers: answers.map((answer) => answer ?? undefined) }));
}

export function writeRecorded(recorded: readonly Recorded[]): void {
  const lasting = recorded.map(({ script, answers }) => ({ script, answers: answers.map((answer) => answer ?? null) }));
  writeFileSync(FILE, gzipSync(EJSON.stringify(lasting, { relaxed: false }), { level: 9 }));
}
