/** A value of one or more kept answers. */
export type Shared<Value> = Value & {
  /** Number of the answers. */
  uses: number;
};

/**
 * Values that kept answers contain. Answers to different viewers are mostly made from the same records, and those to one
 * viewer from the same rights: equal values are kept once.
 */
export interface SharedValues<Value> {
  /** Estimated heap of all values. */
  readonly bytes: number;
  /** The kept value that equals this one, until it is released. */
  use(networkId: string, value: Value): Shared<Value>;
  release(networkId: string, value: Shared<Value>): void;
}

export interface SharedValuesOptions<Value> {
  /** Equal values have the same key. */
  keyOf(value: Value): string;
  isEqual(one: Value, other: Value): boolean;
  /** Estimated heap of one value. */
  bytesOf(value: Value): number;
}

export function createSharedValues<Value extends object>({
  keyOf,
  isEqual,
  bytesOf,
}: SharedValuesOptions<Value>): SharedValues<Value> {
  const networks = new Map<string, Map<string, Shared<Value>>>();
  let bytes = 0;

  return {
    get bytes() {
      return bytes;
    },
    use(networkId, value) {
      const known = networks.get(networkId) ?? new Map<string, Shared<Value>>();
      networks.set(networkId, known);
      let shared = known.get(keyOf(value));
      // Answers that were made from an earlier value keep the one that they have until they are released.
      if (!shared || !isEqual(shared, value)) {
        shared = { ...value, uses: 0 };
        known.set(keyOf(value), shared);
        bytes += bytesOf(shared);
      }
      shared.uses += 1;
      return shared;
    },
    release(networkId, value) {
      value.uses -= 1;
      if (value.uses > 0) return;
      bytes -= bytesOf(value);
      const known = networks.get(networkId);
      if (known?.get(keyOf(value)) === value) known.delete(keyOf(value));
      if (known?.size === 0) networks.delete(networkId);
    },
  };
}
