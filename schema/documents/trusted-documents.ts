import { readFile } from 'node:fs/promises';
import { Kind, parse } from 'graphql';
import { type Config, ConfigError } from '../../src/config.ts';
import type { Executor } from '../execute.ts';
import { hashOf } from './automatic-documents.ts';
import { type ManifestEntry, parseManifest } from './manifest.ts';
import { isRefused } from './prepare.ts';

/** The documents of the manifests that `TRUSTED_DOCUMENTS` names. */
export interface TrustedDocuments {
  /** The document with an id of a manifest, or with this SHA-256. */
  get(id: string): string | undefined;
  /** Whether a request may contain a document: any, unless only trusted ones are accepted. */
  accepts(text: string): boolean;
  readonly texts: ReadonlySet<string>;
  /** Validates each operation of the manifests. @throws {ConfigError} that names the file and the operation of each error */
  validate(executor: Pick<Executor, 'prepare'>): void;
}

type Settings = Pick<Config, 'TRUSTED_DOCUMENTS' | 'TRUSTED_DOCUMENTS_ONLY' | 'FEDERATION'>;

/** Most errors of one start. */
const MAX_ERRORS = 20;

/** Reads the manifests. @throws {ConfigError} for a file that is missing or no manifest, and for ids that are not unique */
export async function readTrustedDocuments(config: Settings): Promise<TrustedDocuments> {
  const isOnly = config.TRUSTED_DOCUMENTS_ONLY;
  if (isOnly && config.FEDERATION)
    throw new ConfigError('TRUSTED_DOCUMENTS_ONLY excludes FEDERATION: a router composes its documents itself.');
  const entries = (await Promise.all(config.TRUSTED_DOCUMENTS.map(readManifest))).flat();
  const byId = new Map<string, ManifestEntry>();
  for (const entry of entries) {
    const earlier = byId.get(entry.id);
    if (earlier && earlier.text !== entry.text)
      throw new ConfigError(`TRUSTED_DOCUMENTS: ${placeOf(entry)} is another document in ${earlier.file}.`);
    byId.set(entry.id, entry);
  }
  const texts = new Set([...entries.map(({ text }) => text), ...(isOnly ? await consoleDocuments() : [])]);
  const byHash = new Map([...texts].map((text) => [hashOf(text), text]));
  return {
    get: (id) => byId.get(id)?.text ?? byHash.get(id),
    accepts: (text) => !isOnly || texts.has(text),
    texts,
    validate(executor) {
      const errors = entries.flatMap((entry) => errorsOf(entry, executor));
      if (errors.length === 0) return;
      const shown = errors.slice(0, MAX_ERRORS).map((error) => `  ${error}`);
      if (errors.length > MAX_ERRORS) shown.push(`  … and ${errors.length - MAX_ERRORS} more.`);
      throw new ConfigError(`TRUSTED_DOCUMENTS: the schema does not accept these documents:\n${shown.join('\n')}`);
    },
  };
}

async function readManifest(file: string): Promise<ManifestEntry[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ConfigError(`TRUSTED_DOCUMENTS: ${file} cannot be read: ${(error as Error).message}`);
  }
  return parseManifest(file, text);
}

function placeOf({ file, id, name }: Pick<ManifestEntry, 'file' | 'id' | 'name'>): string {
  return `${file}: operation ${name === null ? '' : `${JSON.stringify(name)} `}with the id ${JSON.stringify(id)}`;
}

function errorsOf(entry: ManifestEntry, executor: Pick<Executor, 'prepare'>): string[] {
  return operationNamesOf(entry.text).flatMap((name) => {
    const prepared = executor.prepare(entry.text, name);
    const place = placeOf({ ...entry, name: entry.name ?? name });
    return isRefused(prepared) ? prepared.errors.map(({ message }) => `${place}: ${message}`) : [];
  });
}

/** The operations of a document; null for the only one, and for a text that contains none. */
function operationNamesOf(text: string): Array<string | null> {
  try {
    const names = parse(text, { noLocation: true }).definitions.flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? (definition.name?.value ?? null) : [],
    );
    return names.length > 0 ? names : [null];
  } catch {
    return [null];
  }
}

/** The documents that the web console sends. */
async function consoleDocuments(): Promise<string[]> {
  const exported = await import('../../console/generated/operations.ts');
  return Object.entries(exported)
    .filter(([name]) => name.endsWith('Document'))
    .map(([, document]) => String(document));
}
