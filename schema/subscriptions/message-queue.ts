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
export function createMessageQueue(options: MessageQueueOptions): MessageQueue {
  return new SocketMessageQueue(options);
}

/** A class, because it exists once for each idle socket. */
class SocketMessageQueue implements MessageQueue {
  readonly #options: MessageQueueOptions;
  readonly #messages = createRateCounter(LIVE_LIMITS.messages);
  readonly #refusals = createRateCounter(LIVE_LIMITS.refusals);
  #waiting: string[] = [];
  #characters = 0;
  #isFull = false;
  #isScheduled = false;
  #isOver = false;

  constructor(options: MessageQueueOptions) {
    this.#options = options;
  }

  push(text: string): void {
    if (this.#isOver) return;
    if (this.#waiting.length >= LIVE_LIMITS.waiting) {
      this.#flood(`At most ${LIVE_LIMITS.waiting} messages may be queued.`);
    } else if (this.#messages.count()) {
      this.#waiting.push(text);
      this.#characters += text.length;
      // The first message is handled immediately, later ones one per turn.
      if (this.#isScheduled) this.#updateFullness();
      else this.#handleNext();
    } else {
      this.#flood(`At most ${LIVE_LIMITS.messages} messages per ${WINDOW}.`);
    }
  }

  countRefusal(): void {
    if (!this.#refusals.count()) this.#flood(`At most ${LIVE_LIMITS.refusals} rejected messages per ${WINDOW}.`);
  }

  clear(): void {
    this.#isOver = true;
    this.#waiting = [];
    this.#characters = 0;
    this.#updateFullness();
  }

  #flood(reason: string): void {
    if (this.#isOver) return;
    this.clear();
    this.#options.onFlood(reason);
  }

  #updateFullness(): void {
    const isNowFull = this.#characters > LIVE_LIMITS.waitingCharacters;
    if (isNowFull === this.#isFull) return;
    this.#isFull = isNowFull;
    if (isNowFull) this.#options.onFull();
    else this.#options.onSpace();
  }

  #handleNext(): void {
    this.#isScheduled = false;
    const text = this.#waiting.shift();
    if (text === undefined || this.#isOver) return;
    this.#characters -= text.length;
    this.#updateFullness();
    this.#schedule();
    this.#options.handle(text);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#handleNext());
  }
}

const WINDOW = `${RATE_WINDOW_MS / 1_000} s`;
