import { WebSocket } from 'ws';

/**
 * Defines the globals that the clients expect of a browser and that Node.js lacks: `WebSocket`, `FileReader`, a `window`
 * with `localStorage`, and requests with relative addresses. There is no `document`, so that HTTP libraries choose the
 * transport of Node.js.
 */
export function definePlatform(): void {
  const values = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
    clear: () => values.clear(),
    key: (index: number) => [...values.keys()][index] ?? null,
    get length() {
      return values.size;
    },
  };
  const listeners = { addEventListener: () => undefined, removeEventListener: () => undefined };
  Object.assign(globalThis, { localStorage, window: { localStorage, console, ...listeners } });
  globalThis.Request = PageRequest;
  Object.assign(globalThis, { FileReader: DataUrlReader });
  globalThis.WebSocket ??= WebSocket as unknown as typeof globalThis.WebSocket;
}

/** Resolves addresses against that of a page, as browsers do; 6.35 constructs requests without an address. */
class PageRequest extends Request {
  constructor(input: string | URL | Request, init?: RequestInit) {
    super(input instanceof Request ? input : new URL(String(input), 'http://localhost/'), init);
  }
}

/** The part of a browser's `FileReader` that reads an upload as a `data:` address. */
class DataUrlReader extends EventTarget {
  result: string | null = null;
  onload: ((event: Event) => void) | null = null;
  onloadend: ((event: Event) => void) | null = null;

  readAsDataURL(file: Blob): void {
    void file.arrayBuffer().then((content) => {
      this.result = `data:${file.type};base64,${Buffer.from(content).toString('base64')}`;
      for (const type of ['load', 'loadend'] as const) {
        const event = new Event(type);
        this[`on${type}`]?.(event);
        this.dispatchEvent(event);
      }
    });
  }
}
