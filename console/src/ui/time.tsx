const UNITS: ReadonlyArray<[unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const ABSOLUTE = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** A time relative to now, with the exact time as its title. */
export function Time({ value }: { value: string }) {
  const date = new Date(value);
  return (
    <time dateTime={value} title={ABSOLUTE.format(date)}>
      {relative((date.getTime() - Date.now()) / 1_000)}
    </time>
  );
}

function relative(seconds: number): string {
  for (const [unit, length] of UNITS)
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.round(seconds / length), unit);
  return 'now';
}
