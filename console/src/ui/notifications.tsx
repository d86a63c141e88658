import { useSyncExternalStore } from 'react';

/** How long a notification is shown, in milliseconds. */
const SHOWN_MS = 6_000;

interface Notification {
  id: number;
  text: string;
  kind: 'success' | 'error';
}

let shown: readonly Notification[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Shows a text for six seconds; screen readers announce it. */
export function notify(text: string, kind: Notification['kind'] = 'success'): void {
  lastId += 1;
  const id = lastId;
  change([...shown, { id, text, kind }]);
  setTimeout(() => change(shown.filter((one) => one.id !== id)), SHOWN_MS);
}

export function Notifications() {
  const list = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return (
    <div className="notifications" role="status" aria-live="polite">
      {list.map(({ id, text, kind }) => (
        <p key={id} className={`notification ${kind}`}>
          {text}
        </p>
      ))}
    </div>
  );
}

function change(next: readonly Notification[]): void {
  shown = next;
  for (const listener of listeners) listener();
}
