import { MongoServerError } from 'mongodb';
import { ConfigError } from '../config.ts';

/** Of the system, and of the embedded store. */
const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT', 14_031]);

/** A start that failed because the disk is full reads as a {@link ConfigError}; other errors are returned as they are. */
export function explainFullDisk(error: unknown, folder: string): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  if (!FULL.has(code) || !(error instanceof Error)) return error;
  const message =
    error instanceof MongoServerError ? error.message : `the disk of ${folder} is full (${error.message})`;
  return new ConfigError(`${message}. Free some space, then start again.`, { cause: error });
}
