import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { vi } from 'vitest';
import { type BuiltProgram, buildProgram } from '../support/build-program.ts';
import { signIn } from '../support/gateway.ts';

export interface CrashingGateway {
  url: string;
  child: ChildProcess;
  tokenOf(userId: string): Promise<string>;
  /** Resolves when the process has ended. */
  death(): Promise<unknown>;
  kill(): Promise<void>;
}

export const buildCrashingGateway = (): Promise<BuiltProgram> =>
  buildProgram({ gateway: 'test/webhooks/crashing-gateway.ts', 'embedded-worker': 'src/embedded/worker.ts' });

export interface CrashingGatewayOptions {
  program: BuiltProgram;
  folder: string;
  port: number;
  /** The step at which the gateway kills itself, see crashing-gateway.ts. @default 'never' */
  step?: string;
  /** Length of the leases of its deliveries. @default 3_000 */
  leaseMs?: number;
}

export async function startCrashingGateway({
  program,
  folder,
  port,
  step = 'never',
  leaseMs = 3_000,
}: CrashingGatewayOptions): Promise<CrashingGateway> {
  const args = [join(program.folder, 'gateway.js'), folder, String(port), step, String(leaseMs)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  let output = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await vi.waitUntil(() => output.includes('\n') || hasEnded(), { timeout: 60_000, interval: 20 });
  const keys = JSON.parse(output.slice('ready '.length));
  const url = `http://127.0.0.1:${port}`;
  const death = async () => hasEnded() || once(child, 'close');
  return {
    url,
    child,
    tokenOf: (userId) => signIn({ url, keys }, userId),
    death,
    async kill() {
      if (!hasEnded()) child.kill('SIGKILL');
      await death();
    },
  };
}
