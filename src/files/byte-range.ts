/** Bytes of a file, both ends included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The one range that a `Range` header asks for (RFC 9110 §14): players seek by it, and some play nothing without.
 * @returns null for the whole file, also when several ranges are asked for; `unsatisfiable` for one behind its end
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '');
  if (!asked || (asked[1] === '' && asked[2] === '')) return null;
  const [first, last] = [asked[1]!, asked[2]!];
  // Without a beginning: so many bytes from the end.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < Number(first)) return null;
  return start > end ? 'unsatisfiable' : { start, end };
}
