import { allFamilies, type FamilySnapshot, type Sample } from './registry.ts';

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** What one process has measured. */
export interface ProcessSnapshot {
  /** The label `worker` of all samples: the number of a worker process, `primary`, or null for the only process. */
  worker: string | null;
  families: FamilySnapshot[];
}

/** The current values of all metrics of this process. */
export async function snapshotMetrics(worker: string | null): Promise<ProcessSnapshot> {
  return { worker, families: await Promise.all(allFamilies().map((family) => family.snapshot())) };
}

/** Prints the values of all processes in Prometheus' text format, each metric once. */
export function printMetrics(processes: readonly ProcessSnapshot[]): string {
  const lines: string[] = [];
  for (const { name, help, type, isShared } of allFamilies()) {
    const measured = processes.flatMap(({ worker, families }) => {
      const { samples = [] } = families.find((one) => one.name === name) ?? {};
      return samples.length > 0 ? [{ samples, worker: isShared ? null : worker }] : [];
    });
    const samples = (isShared ? measured.slice(0, 1) : measured).flatMap(({ samples, worker }) =>
      samples.map((sample) => printSample(name, sample, worker)),
    );
    if (samples.length > 0) lines.push(`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`, ...samples);
  }
  return `${lines.join('\n')}\n`;
}

function printSample(name: string, { suffix, labels, value }: Sample, worker: string | null): string {
  const all = worker === null ? labels : [['worker', worker] as const, ...labels];
  const printed = all.map(([label, text]) => `${label}="${escapeLabel(text)}"`).join(',');
  return `${name}${suffix}${printed === '' ? '' : `{${printed}}`} ${value}`;
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');
