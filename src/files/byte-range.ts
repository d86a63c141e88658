/** A range of bytes, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header with one range (RFC 9110 §14), which media players use to seek.
 * @returns null for the whole file, also when several ranges are requested; `unsatisfiable` for a range beyond the end
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [first, last] = [match[1]!, match[2]!];
  // Without a start, the range is the last `last` bytes.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return start > end ? 'unsatisfiable' : { start, end };
}
