/** How long one piece of a long work may hold up everybody else. */
const SLICE_MS = 5;

/** Begins a piece of long work; returns whether it has lasted long enough. */
export function newSlice(): () => boolean {
  const end = performance.now() + SLICE_MS;
  return () => performance.now() > end;
}
