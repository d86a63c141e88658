import { LIVE_LIMITS } from '../../limits/limits.ts';

export interface PacketQueueOptions {
  /** Called when the limit of waiting packets is reached: the connection must not be read until {@link onSpace}. */
  onFull(): void;
  onSpace(): void;
  onError(error: unknown): void;
  /** Whether waiting packets are dropped. */
  isClosed(): boolean;
}

/** Handles packets that need the database one after another. @returns appends the handling of one packet */
export function createPacketQueue({ onFull, onSpace, onError, isClosed }: PacketQueueOptions) {
  let last: Promise<void> = Promise.resolve();
  let waiting = 0;
  return (handle: () => Promise<void>): void => {
    waiting += 1;
    if (waiting === LIVE_LIMITS.mqttWaiting) onFull();
    last = last
      .then(() => (isClosed() ? undefined : handle()))
      .catch(onError)
      .finally(() => {
        waiting -= 1;
        if (waiting === LIVE_LIMITS.mqttWaiting - 1) onSpace();
      });
  };
}
