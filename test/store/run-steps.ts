import { type Document, EJSON } from 'bson';
import type { Step } from './command-steps/step.ts';
import { connectRaw } from './raw-client.ts';

/** Reply fields that differ between runs or servers, or are human-readable text. */
const VARIABLE_FIELDS = new Set([
  '$clusterTime',
  'operationTime',
  'atClusterTime',
  'electionId',
  'opTime',
  'errmsg',
  'commitQuorum',
  'uuid',
  'ns',
  'note',
]);

/** Runs the steps one after another in an empty database and returns the replies as canonical text. */
export async function runSteps(uri: string, steps: readonly Step[]): Promise<string[]> {
  const client = connectRaw(uri);
  const db = `steps_${process.pid}_${Date.now()}`;
  const replies: string[] = [];
  for (const step of steps) {
    const [target, command] = Array.isArray(step) ? (step as [string, Document]) : [db, step as Document];
    replies.push(EJSON.stringify(lasting(await client.command(target, command)), { relaxed: false }));
  }
  await client.command(db, { dropDatabase: 1 });
  client.close();
  return replies;
}

/** The reply without variable fields, with the others in alphabetical order. */
export function lasting(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).filter(([name]) => !VARIABLE_FIELDS.has(name));
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, lasting(inner)]),
  );
}
