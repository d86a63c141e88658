/** Start and end of a request in milliseconds, on one clock. */
export interface Interval {
  start: number;
  end: number;
}

/** How a write ended. An unknown one, such as one whose gateway was killed, may have taken effect or not. */
export type WriteOutcome = 'pending' | 'done' | 'unknown' | 'refused';

export interface Version<Value> extends Interval {
  value: Value;
  outcome: WriteOutcome;
}

export interface RegisterOptions {
  /** How long after its acknowledgement a write may stay invisible, in milliseconds. @default 0 */
  staleMs?: number;
}

/** A datum with all values that were written to it. Writes of one register never overlap, so that their order is known. */
export class Register<Value = unknown> {
  readonly name: string;
  readonly staleMs: number;
  readonly versions: Version<Value>[];
  /** Whether a write is in progress. */
  isBusy = false;

  constructor(name: string, initial: Value, { staleMs = 0 }: RegisterOptions = {}) {
    this.name = name;
    this.staleMs = staleMs;
    this.versions = [{ value: initial, start: -Infinity, end: -Infinity, outcome: 'done' }];
  }

  /** The last value that was written or may have been. Only for choosing operations. */
  get latest(): Value {
    return this.versions.findLast(({ outcome }) => outcome !== 'refused')!.value;
  }

  /** Whether it is known which value was written last, so that a write which depends on it has one possible outcome. */
  get isKnown(): boolean {
    return this.versions.findLast(({ outcome }) => outcome !== 'refused')!.outcome === 'done';
  }

  begin(value: Value, start: number): Version<Value> {
    const version: Version<Value> = { value, start, end: Number.POSITIVE_INFINITY, outcome: 'pending' };
    this.versions.push(version);
    return version;
  }

  /** Indexes of the versions that a read in this interval may return. */
  window({ start, end }: Interval): number[] {
    const known = this.versions.findLastIndex(
      ({ outcome, end: written }) => outcome === 'done' && written < start - this.staleMs,
    );
    const window: number[] = [];
    for (let index = Math.max(known, 0); index < this.versions.length; index += 1) {
      const version = this.versions[index]!;
      if (version.start >= end) break;
      if (version.outcome !== 'refused') window.push(index);
    }
    return window;
  }

  values(interval: Interval): Value[] {
    return [...new Set(this.window(interval).map((index) => this.versions[index]!.value))];
  }
}

/** A value that a request returned for a register. */
interface Observation extends Interval {
  register: Register;
  value: unknown;
  client: string;
  request: string;
}

/** A statement about a request, checked when all writes are known. @returns what is wrong, or null */
type Claim = () => string | null;

/**
 * The requests of a run and what they returned. The check runs afterwards, when the outcome of every write is known:
 *
 * - a value was current at some moment of the request: a write that was acknowledged before it began is visible to
 *   every client through every gateway;
 * - values never go back: when one request has ended, later ones return its value or a newer one;
 * - what depends on several registers is a function of values that each were current during the request.
 */
export class History {
  readonly #observations: Observation[] = [];
  readonly #claims: Claim[] = [];

  get size(): number {
    return this.#observations.length + this.#claims.length;
  }

  saw(register: Register<never> | Register, value: unknown, request: Request): void {
    this.#observations.push({
      register: register as Register,
      value,
      start: request.start,
      end: request.end,
      client: request.client,
      request: request.label,
    });
  }

  claim(claim: Claim): void {
    this.#claims.push(claim);
  }

  /** Requires that a value follows from the registers: `derive` is called with each combination of current values. */
  derived<const Values extends readonly unknown[]>(
    request: Request,
    what: string,
    { of, derive, found }: { of: RegistersOf<Values>; derive: (...values: Values) => unknown; found: unknown },
  ): void {
    this.claim(() => {
      const possible = outcomes(request, of, derive);
      if (possible.has(found)) return null;
      return problem(
        request,
        `${what} is ${show(found)}, must be ${[...possible].map(show).join(' or ')}`,
        of as never,
      );
    });
  }

  /** Everything that no order of the writes explains. */
  check(): string[] {
    const problems = this.#claims.flatMap((claim) => claim() ?? []);
    const byRegister = new Map<Register, Observation[]>();
    for (const observation of this.#observations) {
      const known = byRegister.get(observation.register);
      if (known) known.push(observation);
      else byRegister.set(observation.register, [observation]);
    }
    for (const [register, observations] of byRegister) problems.push(...checkRegister(register, observations));
    return problems;
  }
}

/** A finished request. */
export interface Request extends Interval {
  client: string;
  label: string;
}

export type RegistersOf<Values extends readonly unknown[]> = {
  readonly [Index in keyof Values]: Register<Values[Index]>;
};

/** All results of a function over the values that its registers may have had during an interval. */
export function outcomes<const Values extends readonly unknown[]>(
  interval: Interval,
  registers: RegistersOf<Values>,
  derive: (...values: Values) => unknown,
): Set<unknown> {
  let combinations: unknown[][] = [[]];
  for (const register of registers as readonly Register[]) {
    const values = register.values(interval);
    combinations = combinations.flatMap((combination) => values.map((value) => [...combination, value]));
  }
  return new Set(combinations.map((values) => derive(...(values as unknown as Values))));
}

/**
 * Assigns each read the oldest version that it may have returned: in its window, with its value, and not older than the
 * version of any read that ended before it began. If one read has none, no assignment exists.
 */
function checkRegister(register: Register, observations: Observation[]): string[] {
  const problems: string[] = [];
  const byStart = observations.toSorted((one, other) => one.start - other.start);
  /** Assigned reads by their end, with the newest version that any read returned until then. */
  const ended: Array<{ end: number; index: number; by: Observation }> = [];
  for (const read of byStart) {
    const window = register.window(read);
    const matching = window.filter((index) => Object.is(register.versions[index]!.value, read.value));
    if (matching.length === 0) {
      const current = window.map((index) => show(register.versions[index]!.value)).join(' or ');
      problems.push(
        problem({ ...read, label: read.request }, `${register.name} is ${show(read.value)}, must be ${current}`, [
          register,
        ]),
      );
      continue;
    }
    const before = newestBefore(ended, read.start);
    // A value that may stay invisible for a while in one process is also older there than in another one.
    const index = matching.find((candidate) => register.staleMs > 0 || !before || candidate >= before.index);
    if (index === undefined) {
      problems.push(
        problem(
          { ...read, label: read.request },
          `${register.name} goes back to ${show(read.value)}: ${before!.by.client} read ${show(before!.by.value)} at ${before!.by.start.toFixed(1)}–${before!.by.end.toFixed(1)} with ${before!.by.request}`,
          [register],
        ),
      );
      continue;
    }
    insert(ended, { end: read.end, index, by: read });
  }
  return problems;
}

function newestBefore<Entry extends { end: number; index: number }>(
  ended: readonly Entry[],
  start: number,
): Entry | null {
  let newest: Entry | null = null;
  for (const entry of ended) {
    if (entry.end >= start) break;
    if (!newest || entry.index > newest.index) newest = entry;
  }
  return newest;
}

/** Keeps the list in order of `end`, without entries that an earlier end with a newer version makes redundant. */
function insert<Entry extends { end: number; index: number }>(ended: Entry[], entry: Entry): void {
  let place = ended.length;
  while (place > 0 && ended[place - 1]!.end > entry.end) place -= 1;
  if (ended[place - 1] && ended[place - 1]!.index >= entry.index) return;
  let redundant = place;
  while (redundant < ended.length && ended[redundant]!.index <= entry.index) redundant += 1;
  ended.splice(place, redundant - place, entry);
}

function problem({ client, label, start, end }: Request, text: string, registers: readonly Register[]): string {
  const writes = registers.flatMap((register) =>
    register.versions
      .filter((version) => version.start < end + 50 && version.end > start - 2_000)
      .slice(-6)
      .map(
        (version) =>
          `    ${register.name} = ${show(version.value)} ${version.outcome} ${version.start.toFixed(1)}–${version.end.toFixed(1)}`,
      ),
  );
  return [`${client} ${label} at ${start.toFixed(1)}–${end.toFixed(1)}: ${text}`, ...writes].join('\n');
}

const show = (value: unknown): string => JSON.stringify(value) ?? 'absent';
