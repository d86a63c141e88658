import { MongoServerError } from 'mongodb';
import { ConfigError } from '../config.ts';

/** Error codes of the operating system, and of the database: OutOfDiskSpace. */
const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', 14_031]);

/** Turns an error of a full disk into a {@link ConfigError} that says what to do; returns other errors unchanged. */
export function explainFullDisk(error: unknown, folder: string): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (!FULL.has(code) || !(error instanceof Error)) return error;
  const message =
    error instanceof MongoServerError ? error.message : `the disk of ${folder} is full (${error.message})`;
  return new ConfigError(`${message}. Free some space, then start again.`, { cause: error });
}
