import bars from 'cli-progress';

export interface Progress {
  /** @param done the total so far */
  update(done: number): void;
  end(): void;
}

export interface ProgressOptions {
  /** The name of the step. */
  label: string;
  /** The expected total; 0 if unknown. */
  total: number;
  /** The unit of `total`, in the plural. @default 'documents' */
  unit?: string;
}

/** Interval of log lines where no progress bar can be drawn. */
const LINE_EVERY_MS = 5_000;

/** Shows rate and remaining time: as a bar on a terminal, as a line every few seconds otherwise. */
export function startProgress(options: ProgressOptions): Progress {
  return process.stderr.isTTY && options.total > 0 ? startBar(options) : startLines(options);
}

function startBar({ label, total, unit = 'documents' }: ProgressOptions): Progress {
  const begun = Date.now();
  const bar = new bars.SingleBar({
    format: `${label} {bar} {percentage}%  {value}/{total} ${unit}  {rate}/s  {eta_formatted} left`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 24,
    fps: 5,
    etaBuffer: 50,
    formatValue: (value, options, type) =>
      type === 'value' || type === 'total' ? value.toLocaleString('en') : bars.Format.ValueFormat(value, options, type),
  });
  bar.start(total, 0, { rate: '…' });
  return {
    update: (done) => bar.update(Math.min(done, total), { rate: rateOf(done, begun) }),
    end: () => bar.stop(),
  };
}

function startLines({ label, total, unit = 'documents' }: ProgressOptions): Progress {
  const begun = Date.now();
  let last = begun;
  return {
    update(done) {
      const now = Date.now();
      if (now - last < LINE_EVERY_MS) return;
      last = now;
      const left =
        total > 0 && done > 0 ? `, ${Math.ceil((((total - done) / done) * (now - begun)) / 1000)} s left` : '';
      const of = total > 0 ? ` of ${total.toLocaleString('en')}` : '';
      console.error(`${label}: ${done.toLocaleString('en')}${of} ${unit}, ${rateOf(done, begun)}/s${left}`);
    },
    end: () => undefined,
  };
}

const rateOf = (done: number, begun: number): string =>
  Math.round(done / Math.max((Date.now() - begun) / 1000, 0.001)).toLocaleString('en');
