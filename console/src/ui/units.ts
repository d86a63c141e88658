const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const INTEGER = new Intl.NumberFormat('en');
const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number in three significant digits. */
export function rounded(value: number): string {
  return NUMBER.format(value);
}

export function integer(value: number): string {
  return INTEGER.format(value);
}

export function bytes(value: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(value, 1)) / 3)));
  return `${rounded(value / 1_000 ** power)} ${BYTE_UNITS[power]}`;
}

export function milliseconds(value: number): string {
  return `${rounded(value)} ms`;
}
