/** Checks the events that one subscriber receives, which are numbered by topic. */
export interface Tally {
  name: string;
  /** The next expected number of each topic that the subscriber subscribes to and may see. */
  next: Map<string, number>;
  /** Cursor of the last event or heartbeat. */
  cursor: string;
  /** Number of reconnects. */
  reconnects: number;
  /** Missing, repeated, unordered and unauthorized events. */
  faults: string[];
  /** Records an event by its path, `default/loss/<topic>/<number>`. */
  take(path: string, cursor: string): void;
  /** Records that all events up to a cursor have been delivered. */
  reach(cursor: string): void;
}

export function createTally(name: string, topics: readonly string[], cursor: string): Tally {
  const tally: Tally = {
    name,
    next: new Map(topics.map((topic) => [topic, 0])),
    cursor,
    reconnects: -1,
    faults: [],
    take(path, at) {
      const [, , topic = '', number] = path.split('/');
      const due = tally.next.get(topic);
      if (due === undefined) tally.faults.push(`${path} is not visible to the subscriber`);
      else if (Number(number) !== due) tally.faults.push(`${path} received instead of ${due}`);
      if (at <= tally.cursor) tally.faults.push(`${path} has a cursor before that of the previous event`);
      tally.next.set(topic, Number(number) + 1);
      tally.cursor = at;
    },
    reach(at) {
      if (at > tally.cursor) tally.cursor = at;
    },
  };
  return tally;
}
