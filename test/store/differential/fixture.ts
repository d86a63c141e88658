import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { BSON, type Document } from 'bson';
import { DECODE } from '../../../src/embedded/lib/types.ts';
import type { Script, Step } from './script.ts';

/** A script with the replies of a real MongoDB 7.0 to each of its steps. */
export interface Recorded {
  script: Script;
  answers: (string | undefined)[];
}

const FILE = new URL('../fixtures/differential.bson.gz', import.meta.url);

/** BSON, because extended JSON would parse a `$regex` with `$options` as a regular expression. */
export function readRecorded(): Recorded[] {
  const { recorded } = BSON.deserialize(gunzipSync(readFileSync(FILE)), DECODE) as { recorded: Document[] };
  return recorded.map(({ seed, isFresh, steps, answers }) => ({
    script: { seed: Number(seed), isFresh, steps: steps.map(stepOf) },
    answers: answers.map((answer: string | null) => answer ?? undefined),
  }));
}

const stepOf = ({ session, number, ...step }: Document): Step => ({
  ...(step as Step),
  ...(session !== undefined && { session: Number(session) }),
  ...(number !== undefined && { number: Number(number) }),
});

export function writeRecorded(recorded: readonly Recorded[]): void {
  const lasting = recorded.map(({ script, answers }) => ({
    ...script,
    answers: answers.map((answer) => answer ?? null),
  }));
  writeFileSync(FILE, gzipSync(BSON.serialize({ recorded: lasting }), { level: 9 }));
}
