import { useCallback, useState } from 'react';
import { notify } from '../ui/notifications.tsx';
import { messageOf } from './api-error.ts';

/**
 * Wraps work that a button starts: one run at a time, with a notification of its success or error.
 *
 * @returns `run`, which resolves to whether the work succeeded, and whether it is running
 */
export function useAction(): {
  isRunning: boolean;
  run(work: () => Promise<unknown>, success?: string): Promise<boolean>;
} {
  const [isRunning, setRunning] = useState(false);
  const run = useCallback(async (work: () => Promise<unknown>, success?: string) => {
    setRunning(true);
    try {
      await work();
      if (success) notify(success);
      return true;
    } catch (error) {
      notify(messageOf(error), 'error');
      return false;
    } finally {
      setRunning(false);
    }
  }, []);
  return { isRunning, run };
}
