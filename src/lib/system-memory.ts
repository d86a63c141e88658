import { readFileSync } from 'node:fs';

/** Functions of the C library that return memory to the system; those that it lacks are absent. */
export interface SystemMemory {
  /** Bounds the free memory that the allocator keeps in each thread, in bytes; glibc raises its own bound to 64 MB. */
  boundFree?(bytes: number): void;
  /** Returns the free memory of the allocator to the system, in the thread pool. */
  trim?(): Promise<void>;
  /** Evicts the resident pages of a read-only mapping of a file; the next access reads them from the page cache. */
  dropPages?(start: number, length: number): void;
}

const MADV_DONTNEED = 4;
/** Parameters of `mallopt`. */
const M_TRIM_THRESHOLD = -1;
const M_MMAP_THRESHOLD = -3;

/** Loaded once per process, like the library itself. */
let loading: Promise<SystemMemory> | undefined;

/** Loads the functions on first use. Systems other than Linux have none of them. */
export function systemMemory(): Promise<SystemMemory> {
  loading ??= process.platform === 'linux' ? load().catch(() => ({})) : Promise.resolve({});
  return loading;
}

async function load(): Promise<SystemMemory> {
  // Optional: there may be no build for this processor.
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const find = (prototype: string) => {
    try {
      return library.func(prototype);
    } catch {
      // `malloc_trim` and `mallopt` are specific to glibc.
      return undefined;
    }
  };
  const trim = find('int malloc_trim(size_t pad)');
  const option = find('int mallopt(int parameter, int value)');
  const advise = find('int madvise(uintptr_t address, size_t length, int advice)');
  return {
    ...(option && {
      boundFree(bytes) {
        option(M_TRIM_THRESHOLD, bytes);
        option(M_MMAP_THRESHOLD, bytes);
      },
    }),
    ...(trim && { trim: () => new Promise<void>((resolve) => trim.async(0, () => resolve())) }),
    ...(advise && { dropPages: (start, length) => void advise(start, length, MADV_DONTNEED) }),
  };
}

/** Memory that this process has resident in pages of files, in bytes; 0 where the system does not report it. */
export function residentFileBytes(): number {
  try {
    return 1024 * Number(/^RssFile:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

export interface Mapping {
  start: number;
  length: number;
}

/** The address ranges to which this process has mapped a file. */
export function mappingsOf(path: string): Mapping[] {
  try {
    return readFileSync('/proc/self/maps', 'utf8')
      .split('\n')
      .filter((line) => line.endsWith(` ${path}`))
      .map((line) => {
        const [start, end] = line
          .split(' ', 1)[0]!
          .split('-')
          .map((address) => Number.parseInt(address, 16));
        return { start: start!, length: end! - start! };
      });
  } catch {
    return [];
  }
}
