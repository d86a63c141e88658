import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { copyText } from '../../src/lib/copy-text.ts';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';

/** Documents that clients sent together with their hash, in the memory of this process. */
export interface AutomaticDocuments {
  get(id: string): string | undefined;
  /** @param text a valid document with this hash */
  set(id: string, text: string): void;
}

/** Heap of an entry with its id, and of a character. */
const ENTRY_BYTES = 256;
const CHARACTER_BYTES = 2;

/** Forgets the documents that are unused for longest beyond the limits of their number and size. */
export function createAutomaticDocuments(): AutomaticDocuments {
  const texts = new LRUCache<string, string>({
    max: OPERATION_LIMITS.persistedDocuments,
    maxSize: OPERATION_LIMITS.persistedBytes,
    sizeCalculation: (text) => ENTRY_BYTES + CHARACTER_BYTES * text.length,
  });
  return {
    get: (id) => texts.get(id),
    // The text of a GET may be a part of its URL.
    set: (id, text) => void texts.set(id, copyText(text)),
  };
}

/** Whether an id is the SHA-256 of a text, as 64 lower-case hexadecimal digits. */
export function isHashOf(id: string, text: string): boolean {
  return id.length === 64 && hashOf(text) === id;
}

export function hashOf(text: string): string {
  return hash('sha256', text, 'hex');
}
