import { createStore, useStore } from '../api/store.ts';

/** The error that the user sees until they dismiss it. */
const current = createStore<string | null>(null);

export function report(error: unknown): void {
  current.set(error instanceof Error ? error.message : String(error));
}

export function Notice() {
  const text = useStore(current);
  if (text === null) return null;
  return (
    <div className="notice" role="alert">
      {text}
      <button type="button" className="quiet" onClick={() => current.set(null)}>
        Dismiss
      </button>
    </div>
  );
}
