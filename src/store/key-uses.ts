/** A key of a network, and when this process last accepted it. */
export interface KeyUse {
  networkId: string;
  keyId: string;
  at: Date;
}

/** The latest uses of keys that are not stored yet, in memory: at most one for each key of a network. */
export interface KeyUses {
  note(use: KeyUse): void;
  /** Null if every use is stored. */
  lastUse(networkId: string, keyId: string): Date | null;
  /** Removes and returns all uses. */
  take(): KeyUse[];
}

export function createKeyUses(): KeyUses {
  let uses = new Map<string, KeyUse>();
  const nameOf = (networkId: string, keyId: string) => `${networkId} ${keyId}`;
  return {
    note: (use) => void uses.set(nameOf(use.networkId, use.keyId), use),
    lastUse: (networkId, keyId) => uses.get(nameOf(networkId, keyId))?.at ?? null,
    take() {
      const taken = [...uses.values()];
      uses = new Map();
      return taken;
    },
  };
}
