import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

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

/** Resident memory of this process in bytes: of all kinds, and pages of files; 0 where the system does not report it. */
export function residentMemory(): { bytes: number; fileBytes: number } {
  try {
    const status = readFileSync('/proc/self/status', 'latin1');
    const bytesOf = (name: RegExp) => 1024 * Number(name.exec(status)?.[1] ?? 0);
    return { bytes: bytesOf(/^VmRSS:\s+(\d+)/m), fileBytes: bytesOf(/^RssFile:\s+(\d+)/m) };
  } catch {
    return { bytes: 0, fileBytes: 0 };
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
      .map(rangeOf);
  } catch {
    return [];
  }
}

/** The read-only mappings of a file without changed pages, which {@link SystemMemory.dropPages} would discard. */
export async function unchangedMappingsOf(path: string): Promise<Mapping[]> {
  try {
    const mappings = (await readFile('/proc/self/smaps', 'utf8')).split(/^(?=[\da-f]+-[\da-f]+ )/m);
    return mappings
      .filter((mapping) => IS_READ_ONLY.test(mapping) && mapping.split('\n', 1)[0]!.endsWith(` ${path}`))
      .filter((mapping) => HAS_NO_CHANGED_PAGE.test(mapping))
      .map(rangeOf);
  } catch {
    return [];
  }
}

const IS_READ_ONLY = /^\S+ r-/;
const HAS_NO_CHANGED_PAGE = /^Anonymous:\s+0 kB$/m;

/** Parses the range at the beginning of a line of `/proc/PID/maps`. */
function rangeOf(line: string): Mapping {
  const [start, end] = line
    .split(' ', 1)[0]!
    .split('-')
    .map((address) => Number.parseInt(address, 16));
  return { start: start!, length: end! - start! };
}
