/** Parts of a text begin where an object of its JSON begins. */
const BEGIN = '{';
/** Bytes of a number, of the header and of a run. */
const NUMBER = 4;
const HEADER = 2 * NUMBER;
const RUN = 3 * NUMBER;

/**
 * Describes a JSON text by its differences from a similar one: runs of new bytes, each followed by bytes of the other
 * text. Objects that both contain take no space, wherever they are.
 */
export function differenceOf(text: Buffer, base: Buffer): Buffer {
  const source = base.toString('latin1');
  const places = new Map<string, number>();
  let place = 0;
  for (const part of partsOf(source)) {
    if (!places.has(part)) places.set(part, place);
    place += part.length;
  }
  const runs: Array<{ added: number; place: number; length: number }> = [];
  const added: string[] = [];
  let run = { added: 0, place: 0, length: 0 };
  /** Where the source probably continues as the text does. */
  let next = 0;
  const begin = (at: number) => {
    if (run.added + run.length > 0) runs.push(run);
    run = { added: 0, place: at, length: 0 };
  };
  for (const part of partsOf(text.toString('latin1'))) {
    const found = source.startsWith(part, next) ? next : places.get(part);
    if (found === undefined) {
      if (run.length > 0) begin(0);
      added.push(part);
      run.added += part.length;
      next = nextPart(source, next);
      continue;
    }
    if (run.length === 0) run.place = found;
    else if (found !== run.place + run.length) begin(found);
    run.length += part.length;
    next = found + part.length;
  }
  begin(0);
  const difference = Buffer.alloc(HEADER + RUN * runs.length);
  let at = difference.writeUInt32LE(runs.length);
  at = difference.writeUInt32LE(text.length, at);
  for (const one of runs)
    for (const value of [one.added, one.place, one.length]) at = difference.writeUInt32LE(value, at);
  return Buffer.concat([difference, Buffer.from(added.join(''), 'latin1')]);
}

/** The text that {@link differenceOf} described. */
export function withDifference(difference: Buffer, base: Buffer): Buffer {
  const runs = difference.readUInt32LE();
  const text = Buffer.allocUnsafe(difference.readUInt32LE(NUMBER));
  let from = HEADER + RUN * runs;
  let at = 0;
  for (let run = 0; run < runs; run += 1) {
    const place = HEADER + RUN * run;
    const added = difference.readUInt32LE(place);
    const start = difference.readUInt32LE(place + NUMBER);
    const length = difference.readUInt32LE(place + 2 * NUMBER);
    at += difference.copy(text, at, from, from + added);
    from += added;
    at += base.copy(text, at, start, start + length);
  }
  return text;
}

function* partsOf(text: string): Generator<string, void, void> {
  for (let start = 0; start < text.length; ) {
    const end = nextPart(text, start);
    yield text.slice(start, end);
    start = end;
  }
}

function nextPart(text: string, place: number): number {
  const next = text.indexOf(BEGIN, place + 1);
  return next < 0 ? text.length : next;
}
