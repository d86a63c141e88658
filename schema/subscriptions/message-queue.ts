import { LIVE_LIMITS } from '../../src/limits/limits.ts';
import { createRateCounter, RATE_WINDOW_MS } from '../../src/limits/rate-counter.ts';

/** The incoming messages of one WebSocket, in order. */
export interface MessageQueue {
  push(text: string): void;
  /** Counts a message that was rejected by a limit. */
  countRefusal(): void;
  clear(): void;
}

export interface MessageQueueOptions {
  handle(text: string): void;
  /** Called when the queued messages exceed the limit of characters, and when they fall below it again. */
  onFull(): void;
  onSpace(): void;
  /** Called once for a client that exceeds the limits of its socket. */
  onFlood(reason: string): void;
}

/**
 * Handles one message per turn of the event loop, so that a burst of messages does not delay other clients. Reports a
 * client that sends too many messages, or keeps sending after rejections.
 */
export function createMessageQueue({ handle, onFull, onSpace, onFlood }: MessageQueueOptions): MessageQueue {
  const waiting: string[] = [];
  const messages = createRateCounter(LIVE_LIMITS.messages);
  const refusals = createRateCounter(LIVE_LIMITS.refusals);
  let characters = 0;
  let isFull = false;
  let isScheduled = false;
  let isOver = false;

  function flood(reason: string): void {
    if (isOver) return;
    clear();
    onFlood(reason);
  }

  function clear(): void {
    isOver = true;
    waiting.length = 0;
    characters = 0;
    updateFullness();
  }

  function updateFullness(): void {
    const isNowFull = characters > LIVE_LIMITS.waitingCharacters;
    if (isNowFull === isFull) return;
    isFull = isNowFull;
    if (isFull) onFull();
    else onSpace();
  }

  function handleNext(): void {
    isScheduled = false;
    const text = waiting.shift();
    if (text === undefined || isOver) return;
    characters -= text.length;
    updateFullness();
    schedule();
    handle(text);
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(handleNext);
  }

  return {
    push(text) {
      if (isOver) return;
      if (waiting.length >= LIVE_LIMITS.waiting) return flood(`At most ${LIVE_LIMITS.waiting} messages may be queued.`);
      if (!messages.count()) return flood(`At most ${LIVE_LIMITS.messages} messages per ${WINDOW}.`);
      waiting.push(text);
      characters += text.length;
      // The first message is handled immediately, later ones one per turn.
      if (isScheduled) updateFullness();
      else handleNext();
    },
    countRefusal() {
      if (!refusals.count()) flood(`At most ${LIVE_LIMITS.refusals} rejected messages per ${WINDOW}.`);
    },
    clear,
  };
}

const WINDOW = `${RATE_WINDOW_MS / 1_000} s`;
