import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from './command.ts';

/** The version of an export's layout; a newer one is refused. */
export const EXPORT_FORMAT = 1;
export const MANIFEST = 'manifest.json';

const collectionSchema = z.object({
  name: z.string().min(1),
  /** Beside the manifest, never elsewhere. */
  file: z.string().regex(/^[\w-]+\.ndjson(\.gz)?$/),
  documents: z.int().min(0),
  /** Of the lines, before they are compressed. */
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Other than the one on `_id`, by name, as `createIndexes` takes them, in Extended JSON. */
  indexes: z.array(z.record(z.string(), z.unknown())),
  /** As `create` takes them. */
  options: z.record(z.string(), z.unknown()),
});

const manifestSchema = z.object({
  export: z.literal('colloquy'),
  format: z.int(),
  createdAt: z.string(),
  database: z.string(),
  source: z.enum(['embedded', 'mongodb']),
  /** Whether all of it is from one moment. */
  isOneMoment: z.boolean(),
  /** The version of the data, where the database notes one. */
  schemaVersion: z.int().optional(),
  collections: z.array(collectionSchema),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestCollection = z.infer<typeof collectionSchema>;

/** @throws Failure when there is none, when it is damaged, or of a newer format */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: Error) => {
    throw new Failure(`${folder} is no export: ${error.message}.`);
  });
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    throw new Failure(`${join(folder, MANIFEST)} is damaged: ${String(error)}`);
  }
  const format = z.object({ format: z.number() }).safeParse(given).data?.format;
  if (format !== undefined && format > EXPORT_FORMAT) {
    throw new Failure(
      `${folder} has export format ${format}, this version reads ${EXPORT_FORMAT}; use a later version.`,
    );
  }
  const parsed = manifestSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Failure(`${join(folder, MANIFEST)} is damaged: ${issue?.path.join('.')}: ${issue?.message}.`);
}
