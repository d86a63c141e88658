import { type Document, Int32 } from 'bson';
import type { Script, Step } from './script.ts';

const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Members that a smaller value must keep so that its meaning stays defined. */
const KEPT = new Set(['_id', 'sort', '$sort', 'key', 'name']);

/** Values slightly smaller than the given one, smallest first. */
function* smaller(value: unknown, isRoot = false): Generator<unknown> {
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield value.toSpliced(i, 1);
    for (const [i, item] of value.entries()) for (const less of smaller(item)) yield value.with(i, less);
  } else if (isPlain(value)) {
    const entries = Object.entries(value);
    for (const [i, [name, inner]] of entries.entries()) {
      if ((isRoot && i === 0) || KEPT.has(name)) continue;
      yield Object.fromEntries(entries.toSpliced(i, 1));
      if (isPlain(inner) || (Array.isArray(inner) && !isRoot))
        yield Object.fromEntries(entries.with(i, [name, new Int32(1)]));
    }
    for (const [i, [name, inner]] of entries.entries()) {
      if (name === 'sort' || name === '$sort') continue;
      for (const less of smaller(inner)) yield Object.fromEntries(entries.with(i, [name, less]));
    }
  }
}

function* smallerScripts(script: Script): Generator<Script> {
  const { steps } = script;
  for (const size of [8, 4, 2, 1]) {
    for (let at = steps.length - size; at >= 0; at -= size) yield { ...script, steps: steps.toSpliced(at, size) };
  }
  for (const [i, step] of steps.entries()) {
    if (step.refuses) continue;
    for (const command of smaller(step.command, true)) {
      yield { ...script, steps: steps.with(i, { ...step, command: command as Document } satisfies Step) };
    }
  }
}

/** The smallest script, found within a number of attempts, for which `shows` still holds. */
export async function shrink(
  script: Script,
  shows: (candidate: Script) => Promise<boolean>,
  attempts = 100,
): Promise<Script> {
  let best = script;
  let left = attempts;
  for (let found = true; found && left > 0; ) {
    found = false;
    for (const candidate of smallerScripts(best)) {
      if (left-- <= 0) break;
      if (!(await shows(candidate))) continue;
      best = candidate;
      found = true;
      break;
    }
  }
  return best;
}
