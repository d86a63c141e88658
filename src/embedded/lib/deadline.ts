import { CommandError } from './errors.ts';

/**
 * @param deadline in milliseconds since the epoch
 * @throws CommandError 50 past the deadline
 */
export function assertInTime(deadline: number | undefined): void {
  if (deadline !== undefined && Date.now() > deadline) throw new CommandError(50, 'operation exceeded time limit');
}

/** Errors that end a command as a whole: MaxTimeMSExpired, InterruptedAtShutdown, Interrupted, ClientDisconnect. */
const INTERRUPTIONS: ReadonlySet<number> = new Set([50, 11600, 11601, 279]);

export const isInterruption = ({ code }: CommandError): boolean => INTERRUPTIONS.has(code);
