import { useEffect } from 'react';

/** Calls `poll` at an interval while the page is visible, and when it becomes visible again. */
export function usePolling(poll: () => void, intervalMs: number): void {
  useEffect(() => {
    const pollVisible = () => document.visibilityState === 'visible' && poll();
    const timer = setInterval(pollVisible, intervalMs);
    document.addEventListener('visibilitychange', pollVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', pollVisible);
    };
  }, [poll, intervalMs]);
}
