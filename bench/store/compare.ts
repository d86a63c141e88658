import { processorMs } from '../process.ts';
import { type Latencies, latenciesOf, median, shuffled } from '../stats.ts';
import { OPERATIONS, type OperationName, type Subject, TOGETHER } from './subject.ts';

/** Measured subjects: the store and its baselines, each at two sizes. */
export interface Subjects {
  store: Subject;
  smallStore: Subject;
  echo: Subject;
  lmdb: Subject;
  smallLmdb: Subject;
}
type SubjectName = keyof Subjects;

export interface OperationResult extends Measured {
  name: OperationName;
  /** Number of concurrent operations. */
  together: number;
  echo: Measured;
  lmdb: Measured;
  /** Ratio of the durations, median of the ratios within a round. */
  timesEcho: number;
  timesLmdb: number;
  /** Ratio to the duration with few records; the same for lmdb. */
  growth: number;
  lmdbGrowth: number;
  /** The same for the processor time of the store's process, which other programs disturb least. */
  processorGrowth: number;
}

interface Measured extends Latencies {
  perSecond: number;
  /** Processor time of the subject's process, microseconds per operation; NaN if it runs in this process. */
  processorUs: number;
}

export interface Pace {
  rounds: number;
  sliceMs: number;
  warmUpMs: number;
}

/** Measures all subjects in short slices in random order, so that disturbances of the machine affect all. */
export async function compare(subjects: Subjects, { rounds, sliceMs, warmUpMs }: Pace): Promise<OperationResult[]> {
  const names = Object.keys(subjects) as SubjectName[];
  const visit = async (subject: SubjectName, operation: OperationName, together: number, ms: number) => {
    const { work, tidy, pid } = subjects[subject];
    const used = pid === undefined ? Number.NaN : processorMs(pid);
    const found = await slice(work[operation], together, ms);
    const processor = pid === undefined ? Number.NaN : processorMs(pid) - used;
    if (operation === 'insert' || operation === 'transaction of 4 writes') await tidy();
    return { ...found, processor };
  };
  for (const operation of warmUpMs > 0 ? OPERATIONS : []) {
    for (const subject of names) await visit(subject, operation, TOGETHER[operation], warmUpMs);
  }
  const results: OperationResult[] = [];
  for (const name of OPERATIONS) {
    for (const together of [1, TOGETHER[name]]) {
      const slices = Object.fromEntries(names.map((subject) => [subject, []])) as unknown as Slices;
      for (let round = 0; round < rounds; round++) {
        for (const subject of shuffled(names)) slices[subject].push(await visit(subject, name, together, sliceMs));
      }
      results.push(resultOf(name, together, slices));
    }
  }
  return results;
}

interface Slice {
  perSecond: number;
  durations: number[];
}
type Slices = Record<SubjectName, Array<Slice & { processor: number }>>;

/** Keeps `together` operations in progress. */
async function slice(work: () => Promise<unknown>, together: number, milliseconds: number): Promise<Slice> {
  const durations: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + milliseconds;
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (let start = performance.now(); start < end; ) {
        await work();
        const now = performance.now();
        durations.push(now - start);
        start = now;
      }
    }),
  );
  return { perSecond: (durations.length * 1_000) / (performance.now() - startedAt), durations };
}

function resultOf(name: OperationName, together: number, slices: Slices): OperationResult {
  const measured = (subject: SubjectName): Measured => {
    const durations = slices[subject].flatMap((slice) => slice.durations);
    const processor = slices[subject].reduce((sum, slice) => sum + slice.processor, 0);
    return {
      perSecond: median(slices[subject].map(({ perSecond }) => perSecond)),
      ...latenciesOf(durations),
      processorUs: (processor * 1_000) / durations.length,
    };
  };
  const times = (slower: SubjectName, faster: SubjectName): number =>
    median(slices[slower].map(({ perSecond }, round) => slices[faster][round]!.perSecond / perSecond));
  const store = measured('store');
  return {
    name,
    together,
    ...store,
    echo: measured('echo'),
    lmdb: measured('lmdb'),
    timesEcho: times('store', 'echo'),
    timesLmdb: times('store', 'lmdb'),
    growth: times('store', 'smallStore'),
    lmdbGrowth: times('lmdb', 'smallLmdb'),
    processorGrowth: store.processorUs / measured('smallStore').processorUs,
  };
}
