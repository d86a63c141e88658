import { expect, test } from 'vitest';
import { createAutomaticDocuments, hashOf } from '../../schema/documents/automatic-documents.ts';
import { OPERATION_LIMITS } from '../../src/limits/limits.ts';

test('keeps at most the documents of the limit, whatever clients send', () => {
  const documents = createAutomaticDocuments();
  const ids = Array.from({ length: 100_000 }, (_, index) => {
    const text = `{ viewer { a${index}: userId } }`;
    const id = hashOf(text);
    documents.set(id, text);
    return id;
  });
  const kept = ids.filter((id) => documents.get(id) !== undefined);
  expect(kept).toEqual(ids.slice(-OPERATION_LIMITS.persistedDocuments));
});

test('keeps at most the bytes of the limit', () => {
  const documents = createAutomaticDocuments();
  const text = 'x'.repeat(OPERATION_LIMITS.source - 10);
  const ids = Array.from({ length: 100 }, (_, index) => {
    documents.set(String(index), `${text}${index}`);
    return String(index);
  });
  const kept = ids.filter((id) => documents.get(id) !== undefined);
  expect(kept.length).toBeGreaterThan(10);
  expect(2 * kept.length * text.length).toBeLessThanOrEqual(OPERATION_LIMITS.persistedBytes);
});
