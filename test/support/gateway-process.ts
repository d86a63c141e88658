import { join } from 'node:path';
import { buildGateway } from './build-program.ts';
import type { TestGateway } from './gateway.ts';
import { type SpawnedGateway, spawnGateway } from './spawn-gateway.ts';

export interface GatewayProgram {
  /** Starts a process and waits until it is ready. @param port @default a free one */
  start(port?: number): Promise<SpawnedGateway>;
  remove(): Promise<void>;
}

/** The built program with the settings and the database of a running gateway. */
export async function gatewayProgram({ services: { config, store }, keys }: TestGateway): Promise<GatewayProgram> {
  const program = await buildGateway();
  const uri = config.MONGODB_URI!.replace(/^(.*?:\/\/[^/?]+)\/?[^?]*/, `$1/${store.db.databaseName}`);
  const given = Object.entries({ ...config, ...keys }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const file = join(program.folder, 'main.js');
  const env = { ...Object.fromEntries(given), MONGODB_URI: uri };
  return { start: (port) => spawnGateway({ file, env, port }), remove: program.remove };
}
