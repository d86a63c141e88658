import { readFileSync } from 'node:fs';
import { EJSON } from 'bson';
import type { Outcome, Probe } from './probes/probe.ts';

const fileOf = (name: string): URL => new URL(`./fixtures/${name}.json`, import.meta.url);

/** The replies recorded from a real server, by probe name. */
export function readRecording(name: string): Map<string, Outcome> {
  const lines = JSON.parse(readFileSync(fileOf(name), 'utf8')) as Record<string, object>;
  return new Map(
    Object.entries(lines).map(([probe, outcome]) => [probe, EJSON.deserialize(outcome, { relaxed: false }) as Outcome]),
  );
}

/** Canonical text: two outcomes are equal if their texts are. */
export function canonical(outcome: Outcome, options: { sortsFields?: boolean } = {}): string {
  const text = EJSON.stringify(outcome, { relaxed: false });
  return options.sortsFields ? JSON.stringify(JSON.parse(text, (_, value) => withSortedFields(value))) : text;
}

function withSortedFields(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Removes differences without meaning: the name of write errors, and orders that are not defined. */
export function comparable(outcome: Outcome, recorded: Outcome, { operation }: Probe): string {
  if ('code' in outcome) return canonical('codeName' in recorded ? outcome : { code: outcome.code });
  if (operation.kind === 'update' && operation.upsert) return canonical(outcome, { sortsFields: true });
  if (operation.kind !== 'aggregate' || !operation.isUnordered) return canonical(outcome);
  const documents = outcome.documents.map((document) => canonical({ documents: [document] })).sort();
  return documents.join('\n');
}
