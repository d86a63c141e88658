import { LIVE_LIMITS } from '../../src/limits/limits.ts';

/** The messages of one websocket, in their order. */
export interface MessageQueue {
  push(text: string): void;
  /** Counts a message that was refused because of a limit. */
  countRefusal(): void;
  clear(): void;
}

export interface MessageQueueOptions {
  handle(text: string): void;
  /** Called when the messages that wait have more characters than the limit, and when they have fewer again. */
  onFull(): void;
  onSpace(): void;
  /** Called once, for a client that ignores the limits of its socket. */
  onFlood(reason: string): void;
}

/**
 * Handles one message for each turn of the event loop, so that a client that sends thousands at once delays nobody
 * else, and reports a client that sends too many, or goes on after refusals.
 */
export function createMessageQueue({ handle, onFull, onSpace, onFlood }: MessageQueueOptions): MessageQueue {
  const waiting: string[] = [];
  const messages = createCounter(LIVE_LIMITS.messages);
  const refusals = createCounter(LIVE_LIMITS.refusals);
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
    noteSize();
  }

  function noteSize(): void {
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
    noteSize();
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
      if (waiting.length >= LIVE_LIMITS.waiting) return flood(`At most ${LIVE_LIMITS.waiting} messages may wait.`);
      if (!messages.count()) return flood(`At most ${LIVE_LIMITS.messages} messages in ${WINDOW}.`);
      waiting.push(text);
      characters += text.length;
      // The first one waits for nothing; those behind it take turns.
      if (isScheduled) noteSize();
      else handleNext();
    },
    countRefusal() {
      if (!refusals.count()) flood(`At most ${LIVE_LIMITS.refusals} refused messages in ${WINDOW}.`);
    },
    clear,
  };
}

const WINDOW_MS = 10_000;
const WINDOW = `${WINDOW_MS / 1_000} s`;

/** Counts up to `limit` for each window of time. */
function createCounter(limit: number): { count(): boolean } {
  let begun = performance.now();
  let sum = 0;
  return {
    count() {
      const now = performance.now();
      if (now - begun > WINDOW_MS) {
        begun = now;
        sum = 0;
      }
      sum += 1;
      return sum <= limit;
    },
  };
}
