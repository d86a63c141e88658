import { readConfig } from '../src/config.ts';
import type { Services } from '../src/context.ts';
import { createTokenSigner } from '../src/domain/session/tokens.ts';
import { openStore } from '../src/store/store.ts';

/** The parts of a gateway that a compared server shares with it: the driver's settings, the indexes, the tokens. */
export async function openServices(): Promise<Services> {
  const config = readConfig(process.env);
  const store = await openStore({ uri: config.MONGODB_URI! });
  process.once('SIGTERM', () => void store.close().then(() => process.exit(0)));
  return {
    config,
    store,
    tokens: createTokenSigner(config.TOKEN_SECRET!),
    publicUrl: config.PUBLIC_URL!,
    now: () => new Date(),
  };
}
