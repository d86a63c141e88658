import { rounded } from './units.ts';

/** Units of the drawing; it is stretched to the width of its figure. */
const WIDTH = 300;
const HEIGHT = 56;

interface ChartProps {
  title: string;
  /** What the figure beside the title counts, such as `per second`. */
  unit?: string;
  /** Values at equal distances in time, oldest first. */
  values: readonly number[];
  /** Seconds between two values. */
  stepSeconds: number;
  tone?: 'accent' | 'warning' | 'bad';
  format?(value: number): string;
}

/** A value over time, with its latest and its highest value in words. */
export function Chart({ title, unit, values, stepSeconds, tone = 'accent', format = rounded }: ChartProps) {
  const latest = format(values.at(-1) ?? 0);
  const highest = Math.max(0, ...values);
  const minutes = Math.max(1, Math.round((values.length * stepSeconds) / 60));
  return (
    <figure className={`card chart ${tone}`}>
      <figcaption>
        {title}
        <span className="muted">
          <strong>{latest}</strong> {unit}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title} over ${minutes} min: now ${latest}, at most ${format(highest)}`}
      >
        <Curve values={values} highest={highest} />
      </svg>
      <p className="muted">
        <span>{minutes} min</span>
        <span>at most {format(highest)}</span>
      </p>
    </figure>
  );
}

function Curve({ values, highest }: { values: readonly number[]; highest: number }) {
  if (values.length < 2) return null;
  const points = values.map((value, index) => {
    const x = (index / (values.length - 1)) * WIDTH;
    // A line at the edge would be cut in half.
    const y = HEIGHT - 1 - (highest > 0 ? value / highest : 0) * (HEIGHT - 2);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <>
      <path className="area" d={`M0,${HEIGHT}L${points.join('L')}L${WIDTH},${HEIGHT}Z`} />
      <path className="line" d={`M${points.join('L')}`} vectorEffect="non-scaling-stroke" />
    </>
  );
}
