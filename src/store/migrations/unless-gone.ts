import { MongoServerError } from 'mongodb';

/** NamespaceNotFound and IndexNotFound. */
const GONE: ReadonlySet<unknown> = new Set([26, 27]);

/** Drops what may not be there: an earlier attempt has dropped it, or there never was one. */
export async function unlessGone(drop: () => Promise<unknown>): Promise<void> {
  try {
    await drop();
  } catch (error) {
    if (!(error instanceof MongoServerError && GONE.has(error.code))) throw error;
  }
}
