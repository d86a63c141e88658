import { MongoServerError } from 'mongodb';

/** NamespaceNotFound and IndexNotFound. */
const MISSING: ReadonlySet<unknown> = new Set([26, 27]);

/**
 * Runs `drop` and ignores the error if the collection or index does not exist, for example after an earlier attempt.
 */
export async function ignoreMissing(drop: () => Promise<unknown>): Promise<void> {
  try {
    await drop();
  } catch (error) {
    if (!(error instanceof MongoServerError && MISSING.has(error.code))) throw error;
  }
}
