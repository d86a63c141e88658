import { useEffect, useRef } from 'react';

/** Calls the handler of a pressed key, unless the user writes into a field or a dialog is open. */
export function useQueueKeys(handlers: Readonly<Record<string, () => void>>): void {
  const current = useRef(handlers);
  useEffect(() => {
    current.current = handlers;
  });
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const isBusy =
        document.querySelector('[role=dialog]:not([hidden])') !== null ||
        (event.target instanceof Element && event.target.closest('input:not([type=checkbox]), select, textarea'));
      if (isBusy || event.ctrlKey || event.metaKey || event.altKey) return;
      current.current[event.key]?.();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
