import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Application, Area, Sdk } from './application.ts';
import { AREAS } from './areas/index.ts';
import { display, type Live, messageOf, patience } from './live.ts';
import { definePlatform } from './platform.ts';
import { RestUser } from './rest-user.ts';

/** What the parent process passes. */
export interface Start {
  folder: string;
  package: string;
  version: string;
  url: string;
  apiKey: string;
  serverKey: string;
  /** Names of steps that are expected to fail, as `area: title`. */
  expected: readonly string[];
  /** Milliseconds for which a step waits for a change. */
  patienceMs: number;
  /** Names of areas that run; empty: all. */
  only: readonly string[];
}

export type Report =
  | { kind: 'step'; name: string; error: string | null; ms: number }
  | { kind: 'coverage'; called: string[]; exported: string[] }
  | { kind: 'ready' }
  | { kind: 'gateway'; action: 'kill' | 'start'; id: number };

/** Milliseconds for which a step waits that is expected to fail. A step ends after a little more than two such waits. */
const EXPECTED_PATIENCE_MS = 2_500;

const report = (message: Report) => process.send!(message);

/** Errors that nothing handled since the last area. */
const unhandled: string[] = [];
process.on('unhandledRejection', (error) => unhandled.push(messageOf(error)));
process.on('uncaughtException', (error) => unhandled.push(messageOf(error)));

const started = new Promise<Start>((resolve) => process.once('message', (message) => resolve(message as Start)));
report({ kind: 'ready' });
const start = await started;
definePlatform();
const called = new Set<string>();
const exported = new Set<string>();
let sdk: Sdk;
let second: RestUser;
let admin: RestUser;
try {
  sdk = recording(createRequire(join(start.folder, 'index.js'))(start.package));
  second = await RestUser.login(start.url, start.apiKey, 'ben');
  admin = await RestUser.login(start.url, start.apiKey, 'admin', start.serverKey);
  for (const area of AREAS) {
    if (start.only.length > 0 && !start.only.includes(area.name) && area.name !== 'sessions') continue;
    if (area.needs && !has(area.needs)) continue;
    await runArea(area);
  }
} catch (error) {
  // The handlers above would otherwise keep the process alive.
  console.error(error);
  process.exit(1);
}
report({ kind: 'coverage', called: [...called], exported: [...exported] });
process.exit(0);

/** The exports, with a record of the functions of repositories that the application uses. */
function recording(exports: Sdk, path = ''): Sdk {
  for (const [name, value] of Object.entries(exports)) {
    if (path !== '' && typeof value === 'function' && !/^on[A-Z]/.test(name)) exported.add(`${path}${name}`);
    if (isNamespace(name, value)) recording(value, `${path}${name}.`);
  }
  // Exports are frozen, and a proxy must return the very properties of a frozen target.
  return new Proxy(
    {},
    {
      get(_, name) {
        const value = exports[name];
        if (typeof value === 'function') called.add(`${path}${String(name)}`);
        return isNamespace(name, value) ? recording(value, `${path}${String(name)}.`) : value;
      },
    },
  );
}

function isNamespace(name: string | symbol, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    /^[A-Z].*(Repository|Client|Membership|Moderation|Relationship)|^notificationTray$|^Client$/.test(String(name))
  );
}

function has(path: string): boolean {
  return path.split('.').reduce((object, name) => object?.[name], sdk) !== undefined;
}

async function runArea(area: Area): Promise<void> {
  const open: Live[] = [];
  const releases: unknown[] = [];
  /** Closed at the end of a step, because some collections of 6.9 share their contents while they are open. */
  const openInStep: Live[] = [];
  let isInStep = false;
  const runStep = async (title: string, run: () => Promise<unknown>) => {
    isInStep = true;
    await step(`${area.name}: ${title}`, run);
    isInStep = false;
    for (const live of openInStep.splice(0)) live.close();
  };
  const application: Application = {
    sdk,
    version: Number(start.version.split('.')[0]) * 100 + Number(start.version.split('.')[1]),
    userId: 'ann',
    url: start.url,
    apiKey: start.apiKey,
    second,
    admin,
    async step(title, run, needs = []) {
      if (needs.every(has)) await runStep(title, run);
    },
    display(subscribe) {
      const live = display(subscribe);
      (isInStep ? openInStep : open).push(live);
      return live;
    },
    async subscribe(topic) {
      let refused: unknown = new Error(`${topic} was not granted`);
      // After a renewal the clients send the next topic on the connection that they replace, and do not repeat it.
      for (let attempt = 0; attempt < 3 && refused; attempt++) {
        refused = await new Promise((resolve) => {
          releases.push(sdk.subscribeTopic(topic, resolve));
        });
      }
      if (refused) throw refused;
    },
    atEnd: (release) => releases.push(release),
    gateway: { kill: () => gateway('kill'), start: () => gateway('start') },
  };
  try {
    await area.run(application);
  } catch (error) {
    await runStep('prepares its records', () => Promise.reject(error));
  }
  for (const live of open) live.close();
  for (const release of releases) if (typeof release === 'function') release();
  await runStep('leaves no error unhandled', async () => {
    await sleep(200);
    const errors = [...new Set(unhandled.splice(0))].filter((error) => !area.ignores?.test(error));
    if (errors.length > 0) throw new Error(errors.join('; '));
  });
}

async function step(name: string, run: () => Promise<unknown>): Promise<void> {
  const isExpected = start.expected.includes(name);
  patience.ms = isExpected ? EXPECTED_PATIENCE_MS : start.patienceMs;
  const began = Date.now();
  const limit = new AbortController();
  const tooLate = sleep(2 * patience.ms + 1_000, undefined, limit).then(() => {
    throw new Error('The step did not end.');
  });
  tooLate.catch(() => undefined);
  const error = await Promise.race([run(), tooLate]).then(() => null, messageOf);
  limit.abort();
  report({ kind: 'step', name, error, ms: Date.now() - began });
}

/** Requests the parent process to kill or start the gateway. */
function gateway(action: 'kill' | 'start'): Promise<void> {
  const id = Math.random();
  report({ kind: 'gateway', action, id });
  return new Promise((resolve) => {
    const listen = (message: unknown) => {
      if (message !== id) return;
      process.off('message', listen);
      resolve();
    };
    process.on('message', listen);
  });
}
