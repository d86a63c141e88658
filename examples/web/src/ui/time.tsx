import { useEffect, useState } from 'react';

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const UPDATE_MS = 30_000;

/** How long ago something happened. */
export function Time({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {sinceText((now - Date.parse(at)) / 1_000)}
    </time>
  );
}

function sinceText(seconds: number): string {
  for (const [size, unit] of UNITS) if (seconds >= size) return relative.format(-Math.floor(seconds / size), unit);
  return 'just now';
}
