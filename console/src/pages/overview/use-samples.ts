import { useEffect, useState } from 'react';

/** Samples that remain: as many as the server has periods of its traffic. */
const KEPT = 90;

/** The values that `value` has had since the component appeared, oldest first. */
export function useSamples<Value>(value: Value | null): readonly Value[] {
  const [samples, setSamples] = useState<readonly Value[]>([]);
  useEffect(() => {
    if (value !== null) setSamples((last) => [...last, value].slice(-KEPT));
  }, [value]);
  return samples;
}
