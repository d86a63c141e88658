import { createRandom, type Random } from '../../src/sample/scale/random.ts';
import { fieldsOf, type Plan, queryType, recordsOf, type Step } from './operation.ts';

const PAGES = [1, 10, 25, 50, 100];
const ALIASES = [1, 2, 5, 10, 20, 50];
const MAX_STEPS = 6;

/** What one request cost; null: it was refused. */
export type Measure = (plan: Plan) => Promise<{ cpuMs: number; blockMs: number } | null>;

export interface Found {
  plan: Plan;
  cpuMs: number;
  blockMs: number;
}

export interface SearchOptions {
  seed: string;
  /** Random plans, then changes of the worst ones. */
  starts: number;
  changes: number;
  measure: Measure;
}

/**
 * Looks for the accepted operation that costs most: random walks over the schema, each grown until it is refused, then
 * hill climbing from those that used or blocked most.
 */
export async function search({ seed, starts, changes, measure }: SearchOptions): Promise<Found[]> {
  const random = createRandom(seed);
  const found: Found[] = [];
  const attempt = async (plan: Plan): Promise<boolean> => {
    const result = await measure(plan);
    if (result) found.push({ plan, ...result });
    return result !== null;
  };
  for (let start = 0; start < starts; start += 1) {
    let plan = randomPlan(random);
    // Refused plans shrink until they fit, accepted ones grow until they do not.
    for (let step = 0; step < 12 && !(await attempt(plan)); step += 1) plan = changed(random, plan, 'shrink');
    for (let step = 0; step < 6; step += 1) {
      const grown = changed(random, plan, 'grow');
      if (await attempt(grown)) plan = grown;
    }
  }
  for (let change = 0; change < changes; change += 1) {
    const by = change % 2 ? 'cpuMs' : 'blockMs';
    const best = worst(found, by).slice(0, 4);
    const base = best[random.below(best.length)];
    if (base) await attempt(changed(random, base.plan, random.below(3) === 0 ? 'vary' : 'grow'));
  }
  return found;
}

export function worst(found: readonly Found[], by: 'cpuMs' | 'blockMs'): Found[] {
  return [...found].sort((one, other) => other[by] - one[by]);
}

function randomPlan(random: Random): Plan {
  const path: Step[] = [];
  let type: ReturnType<typeof recordsOf> = queryType;
  const steps = 1 + random.below(MAX_STEPS);
  while (path.length < steps) {
    const { links } = fieldsOf(type);
    if (links.length === 0) break;
    const field = random.pick(links);
    type = recordsOf(field);
    path.push({
      field,
      first: random.pick(PAGES),
      aliases: random.pick([1, 1, 1, 2, 10]),
      leaves: randomLeaves(random, type),
    });
  }
  return { root: 'query', path, sizes: random.pick(['literal', 'variable', 'default'] as const) };
}

function randomLeaves(random: Random, type: ReturnType<typeof recordsOf>): Step['leaves'] {
  const { leaves } = fieldsOf(type);
  const count = Math.min(leaves.length, random.below(8));
  const chosen = new Set(Array.from({ length: count }, () => random.pick(leaves).name));
  return [...chosen].map((name) => [name, random.pick(ALIASES)] as const);
}

function changed(random: Random, plan: Plan, how: 'shrink' | 'grow' | 'vary'): Plan {
  if (how === 'vary' && random.below(2) === 0) return extended(random, plan);
  const index = random.below(plan.path.length);
  const path = plan.path.map((step, place) => (place === index ? changedStep(random, step, how) : step));
  return { ...plan, path };
}

function changedStep(random: Random, step: Step, how: 'shrink' | 'grow' | 'vary'): Step {
  const next = (values: readonly number[], value: number) => {
    const place = values.indexOf(value) + (how === 'grow' ? 1 : how === 'shrink' ? -1 : random.below(3) - 1);
    return values[Math.max(0, Math.min(values.length - 1, place))]!;
  };
  const type = recordsOf(step.field);
  switch (random.below(4)) {
    case 0:
      return { ...step, first: next(PAGES, step.first) };
    case 1:
      return { ...step, aliases: next(ALIASES, step.aliases) };
    case 2:
      return { ...step, leaves: step.leaves.map(([name, aliases]) => [name, next(ALIASES, aliases)] as const) };
    default:
      return {
        ...step,
        leaves: how === 'shrink' ? step.leaves.slice(1) : mergedLeaves(step.leaves, randomLeaves(random, type)),
      };
  }
}

function mergedLeaves(one: Step['leaves'], other: Step['leaves']): Step['leaves'] {
  return [...new Map([...one, ...other])];
}

/** One more step at the end of the path. */
function extended(random: Random, plan: Plan): Plan {
  const { links } = fieldsOf(recordsOf(plan.path.at(-1)!.field));
  if (links.length === 0 || plan.path.length >= MAX_STEPS) return plan;
  const field = random.pick(links);
  const step = { field, first: random.pick(PAGES), aliases: 1, leaves: randomLeaves(random, recordsOf(field)) };
  return { ...plan, path: [...plan.path, step] };
}
