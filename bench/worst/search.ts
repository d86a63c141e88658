import { createRandom, type Random } from '../../src/sample/scale/random.ts';
import { fieldsOf, type Plan, queryType, recordsOf, type Step } from './operation.ts';

const PAGES = [1, 10, 25, 50, 100];
const SKIPS = [0, 0, 100, 1_000];
const ALIASES = [1, 2, 5, 10, 20, 50];
const MAX_STEPS = 6;
const MAX_PATHS = 6;

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
  /** Ends the search early. */
  milliseconds: number;
  measure: Measure;
}

/**
 * Looks for the accepted operation that costs most: random walks over the schema, each grown until it is refused, then
 * hill climbing from those that used or blocked most.
 */
export async function search({ seed, starts, changes, milliseconds, measure }: SearchOptions): Promise<Found[]> {
  const random = createRandom(seed);
  const end = performance.now() + milliseconds;
  const found: Found[] = [];
  const attempt = async (plan: Plan): Promise<boolean> => {
    const result = await measure(plan);
    if (result) found.push({ plan, ...result });
    return result !== null;
  };
  for (let start = 0; start < starts && performance.now() < end; start += 1) {
    let plan = randomPlan(random);
    // Refused plans shrink until they fit, accepted ones grow until they do not.
    for (let step = 0; step < 12 && !(await attempt(plan)); step += 1) plan = changed(random, plan, 'shrink');
    for (let step = 0; step < 6; step += 1) {
      const grown = changed(random, plan, 'grow');
      if (await attempt(grown)) plan = grown;
    }
  }
  for (let change = 0; change < changes && performance.now() < end; change += 1) {
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
  const paths = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => randomPath(random));
  return {
    paths,
    sizes: random.pick(['literal', 'variable', 'default'] as const),
    // Without a token nearly everything is refused: a few such requests show that it stays so.
    signedIn: random.below(6) > 0,
  };
}

function randomPath(random: Random): Step[] {
  const path: Step[] = [];
  let type: ReturnType<typeof recordsOf> = queryType;
  const steps = 1 + random.below(MAX_STEPS);
  while (path.length < steps) {
    const { links } = fieldsOf(type);
    if (links.length === 0) break;
    const step = randomStep(random, random.pick(links));
    type = recordsOf(step.field);
    path.push(step);
  }
  return path;
}

function randomStep(random: Random, field: Step['field']): Step {
  return {
    field,
    first: random.pick(PAGES),
    skip: random.pick(SKIPS),
    aliases: random.pick([1, 1, 1, 2, 10]),
    leaves: randomLeaves(random, recordsOf(field)),
  };
}

function randomLeaves(random: Random, type: ReturnType<typeof recordsOf>): Step['leaves'] {
  const { leaves } = fieldsOf(type);
  const count = Math.min(leaves.length, random.below(8));
  const chosen = new Set(Array.from({ length: count }, () => random.pick(leaves).name));
  return [...chosen].map((name) => [name, random.pick(ALIASES)] as const);
}

function changed(random: Random, plan: Plan, how: 'shrink' | 'grow' | 'vary'): Plan {
  const place = random.below(plan.paths.length);
  if (how === 'vary' && random.below(2) === 0) return replaced(plan, place, extended(random, plan.paths[place]!));
  if (how === 'grow' && plan.paths.length < MAX_PATHS && random.below(4) === 0)
    return { ...plan, paths: [...plan.paths, randomPath(random)] };
  if (how === 'shrink' && plan.paths.length > 1 && random.below(3) === 0)
    return { ...plan, paths: plan.paths.filter((_, index) => index !== place) };
  const path = plan.paths[place]!;
  const at = random.below(path.length);
  return replaced(
    plan,
    place,
    path.map((step, index) => (index === at ? changedStep(random, step, how) : step)),
  );
}

function replaced(plan: Plan, place: number, path: readonly Step[]): Plan {
  return { ...plan, paths: plan.paths.map((one, index) => (index === place ? path : one)) };
}

function changedStep(random: Random, step: Step, how: 'shrink' | 'grow' | 'vary'): Step {
  const next = (values: readonly number[], value: number) => {
    const place = values.indexOf(value) + (how === 'grow' ? 1 : how === 'shrink' ? -1 : random.below(3) - 1);
    return values[Math.max(0, Math.min(values.length - 1, place))]!;
  };
  const type = recordsOf(step.field);
  switch (random.below(5)) {
    case 4:
      return { ...step, skip: next([0, 100, 1_000], step.skip) };
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
function extended(random: Random, path: readonly Step[]): readonly Step[] {
  const { links } = fieldsOf(recordsOf(path.at(-1)!.field));
  if (links.length === 0 || path.length >= MAX_STEPS) return path;
  return [...path, { ...randomStep(random, random.pick(links)), aliases: 1 }];
}
