import { ConfigError } from '../../src/config.ts';
import { withoutPrefix } from './document-request.ts';

/** One document of a manifest. */
export interface ManifestEntry {
  file: string;
  /** Without the prefix `sha256:`. */
  id: string;
  text: string;
  /** The name of its operation, if the manifest has it. */
  name: string | null;
}

/**
 * Parses a manifest of trusted documents. Two forms are known: an object of texts by id, as GraphQL Code Generator
 * (`persisted-documents.json`) and the Relay compiler (`persistConfig.file`) write it, and the operations of Apollo's
 * `generate-persisted-query-manifest`.
 *
 * @throws {ConfigError} that names the file, for another form and for an id that occurs twice
 */
export function parseManifest(file: string, text: string): ManifestEntry[] {
  const fail = (problem: string) => new ConfigError(`TRUSTED_DOCUMENTS: ${file}: ${problem}`);
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch (error) {
    throw fail(`not JSON: ${(error as Error).message}`);
  }
  if (!isObject(manifest)) throw fail('a manifest is a JSON object.');
  const pairs = isApollo(manifest) ? apolloPairs(manifest, fail) : textPairs(manifest, text, fail);
  const ids = new Set<string>();
  return pairs.map(({ id: given, text: body, name }) => {
    const id = withoutPrefix(given);
    if (ids.has(id)) throw fail(`the id ${JSON.stringify(given)} occurs twice.`);
    ids.add(id);
    return { file, id, text: body, name };
  });
}

type Pair = Omit<ManifestEntry, 'file'>;
type Fail = (problem: string) => ConfigError;
type JsonObject = { [key: string]: unknown };

function textPairs(manifest: JsonObject, source: string, fail: Fail): Pair[] {
  const pairs = Object.entries(manifest).map(([id, text]) => {
    if (typeof text !== 'string' || id === '')
      throw fail(`the value of ${JSON.stringify(id)} must be the text of a document.`);
    return { id, text, name: null };
  });
  // `JSON.parse` keeps the last of several equal keys.
  const strings = source.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  if (strings.length === 2 * pairs.length) return pairs;
  const keys = strings.filter((_, index) => index % 2 === 0);
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index);
  throw fail(`the id ${repeated ?? 'of a document'} occurs twice.`);
}

const FORMAT = 'apollo-persisted-query-manifest';

function isApollo({ format, operations }: JsonObject): boolean {
  return format === FORMAT || Array.isArray(operations);
}

function apolloPairs({ format, version, operations }: JsonObject, fail: Fail): Pair[] {
  if (format !== FORMAT || version !== 1 || !Array.isArray(operations))
    throw fail(`expected { format: "${FORMAT}", version: 1, operations: […] }.`);
  return operations.map((operation: unknown, index) => {
    const { id, body, name } = isObject(operation) ? operation : ({} as JsonObject);
    if (typeof id !== 'string' || id === '' || typeof body !== 'string')
      throw fail(`operations[${index}] must have an \`id\` and a \`body\`.`);
    return { id, text: body, name: typeof name === 'string' ? name : null };
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
