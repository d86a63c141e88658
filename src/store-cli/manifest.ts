import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { CliError } from './command.ts';

/** The version of the export format; newer ones are rejected. */
export const EXPORT_FORMAT = 1;
export const MANIFEST = 'manifest.json';

const collectionSchema = z.object({
  name: z.string().min(1),
  /** In the folder of the manifest: the pattern excludes paths. */
  file: z.string().regex(/^[\w-]+\.ndjson(\.gz)?$/),
  documents: z.int().min(0),
  /** The size before compression. */
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** All indexes except the one on `_id`, sorted by name, as `createIndexes` takes them, in Extended JSON. */
  indexes: z.array(z.record(z.string(), z.unknown())),
  /** Options of the `create` command. */
  options: z.record(z.string(), z.unknown()),
});

const manifestSchema = z.object({
  export: z.literal('colloquy'),
  format: z.int(),
  createdAt: z.string(),
  database: z.string(),
  source: z.enum(['embedded', 'mongodb']),
  /** Whether the export is a consistent snapshot. */
  isOneMoment: z.boolean(),
  /** The schema version of the data, if the database records one. */
  schemaVersion: z.int().optional(),
  collections: z.array(collectionSchema),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestCollection = z.infer<typeof collectionSchema>;

/** @throws CliError when the manifest is missing, damaged or of a newer format */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: Error) => {
    throw new CliError(`${folder} is not an export: ${error.message}.`);
  });
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new CliError(`${join(folder, MANIFEST)} is damaged: ${String(error)}`);
  }
  const format = z.object({ format: z.number() }).safeParse(given).data?.format;
  if (format !== undefined && format > EXPORT_FORMAT) {
    throw new CliError(
      `${folder} has export format ${format}, this release reads ${EXPORT_FORMAT}; use a later release.`,
    );
  }
  const parsed = manifestSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new CliError(`${join(folder, MANIFEST)} is damaged: ${issue?.path.join('.')}: ${issue?.message}.`);
}
