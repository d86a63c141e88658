import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vi } from 'vitest';
import { buildProgram } from './build-program.ts';
import { freePort } from './free-port.ts';
import type { TestGateway } from './gateway.ts';

export interface GatewayProcess {
  url: string;
  port: number;
  /** As a crash would. */
  kill(): Promise<void>;
}

export interface GatewayProgram {
  /** Starts a process and waits until it serves. @param port @default a free one */
  start(port?: number): Promise<GatewayProcess>;
  remove(): Promise<void>;
}

/** The built program, with the settings of a gateway that runs and on its database. */
export async function gatewayProgram({ services: { config, store }, keys }: TestGateway): Promise<GatewayProgram> {
  const program = await buildProgram({ main: 'src/main.ts' });
  const uri = config.MONGODB_URI!.replace(/^(.*?:\/\/[^/?]+)\/?[^?]*/, `$1/${store.db.databaseName}`);
  const given = Object.entries({ ...config, ...keys }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const start = async (port: number) => {
    const started = spawn(process.execPath, [join(program.folder, 'main.js')], {
      env: { PATH: process.env.PATH, ...Object.fromEntries(given), MONGODB_URI: uri, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const url = `http://127.0.0.1:${port}`;
    const isReady = () =>
      fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await vi.waitUntil(isReady, { timeout: 120_000, interval: 100 });
    return {
      url,
      port,
      async kill() {
        if (!started.kill('SIGKILL')) throw new Error('The gateway had ended by itself.');
        await once(started, 'close');
      },
    };
  };
  return { start: async (port) => start(port ?? (await freePort())), remove: program.remove };
}
