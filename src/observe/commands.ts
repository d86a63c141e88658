import { SpanKind } from '@opentelemetry/api';
import { commandErrors, commandSeconds } from './metrics/definitions.ts';
import type { HistogramValue } from './metrics/registry.ts';
import { inSpan, isTracing } from './tracing/tracer.ts';

/** Commands of monitoring, authentication and shutdown, which no request waits for. */
const UNMEASURED = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'saslStart', 'saslContinue']);

const durations = new Map<string, HistogramValue>();

/**
 * Measures and traces a command of the database.
 * @param command its first field is its name
 * @param send sends it
 */
export function observeCommand<Result>(
  command: { readonly [field: string]: unknown },
  send: () => Promise<Result>,
): Promise<Result> {
  const name = nameOf(command);
  if (UNMEASURED.has(name) || isChangeStream(name, command)) return send();
  const startedAt = performance.now();
  const sent = isTracing() ? inSpan(spanOf(name, command), send) : send();
  const end = () => {
    let seconds = durations.get(name);
    if (!seconds) {
      seconds = commandSeconds.with(name);
      durations.set(name, seconds);
    }
    seconds.observe((performance.now() - startedAt) / 1_000);
  };
  // The caller handles the rejection of `sent`.
  sent.then(end, () => {
    end();
    commandErrors.with(name).add();
  });
  return sent;
}

function spanOf(name: string, command: { readonly [field: string]: unknown }) {
  // The value of most commands is their collection.
  const { [name]: value, collection = value } = command;
  const target = typeof collection === 'string' ? collection : null;
  return {
    name: target === null ? name : `${name} ${target}`,
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'mongodb',
      'db.operation.name': name,
      ...(target !== null && { 'db.collection.name': target }),
    },
  };
}

function nameOf(command: object): string {
  for (const name in command) return name;
  return 'unknown';
}

/** Whether the command waits for events. */
function isChangeStream(name: string, { collection }: { readonly [field: string]: unknown }): boolean {
  return name === 'getMore' && collection === '$cmd.aggregate';
}
