/** What one subscriber was told: of each topic the next number that is due. */
export interface Tally {
  name: string;
  /** By topic; only those that the subscriber listens to and may see. */
  next: Map<string, number>;
  /** Of the last event or sign of life. */
  cursor: string;
  /** How often it came back. */
  returns: number;
  /** What was missing, twice there, out of order or not theirs. */
  faults: string[];
  /** Notes an event by its path, `default/loss/<topic>/<number>`. */
  take(path: string, cursor: string): void;
  /** Notes that everything up to here has been told. */
  reach(cursor: string): void;
}

export function createTally(name: string, topics: readonly string[], cursor: string): Tally {
  const tally: Tally = {
    name,
    next: new Map(topics.map((topic) => [topic, 0])),
    cursor,
    returns: -1,
    faults: [],
    take(path, at) {
      const [, , topic = '', number] = path.split('/');
      const due = tally.next.get(topic);
      if (due === undefined) tally.faults.push(`${path} is not theirs`);
      else if (Number(number) !== due) tally.faults.push(`${path} came when ${due} was due`);
      if (at <= tally.cursor) tally.faults.push(`${path} lies before what came before`);
      tally.next.set(topic, Number(number) + 1);
      tally.cursor = at;
    },
    reach(at) {
      if (at > tally.cursor) tally.cursor = at;
    },
  };
  return tally;
}
