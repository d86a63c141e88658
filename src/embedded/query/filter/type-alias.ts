import type { TypeName } from '../../lib/index.ts';

/** The BSON type numbers that `$type` accepts. */
const CODES: Readonly<Record<number, TypeName | 'undefined' | 'dbPointer'>> = {
  [-1]: 'minKey',
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  6: 'undefined',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  12: 'dbPointer',
  13: 'javascript',
  14: 'symbol',
  15: 'javascriptWithScope',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
  127: 'maxKey',
};

const NAMES = new Set<string>(Object.values(CODES));

export const typeNameOfCode = (code: number): string | undefined => CODES[code];
export const isTypeName = (name: string): boolean => NAMES.has(name);
