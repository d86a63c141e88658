/**
 * Writes the committed files that are generated from the code; codegen.yml describes the others. With `--check` it writes
 * nothing, and fails when a file is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** For each target, the path and the text of its file. */
const PRINTERS = new Map(
  Object.entries({
    schema: schemaFile,
    openapi: openApiFile,
    asyncapi: asyncApiFile,
    permissions: permissionsPage,
    events: eventsPage,
    mqtt: mqttPage,
    limits: limitsPage,
    security: securityPage,
    settings: configurationPage,
    metrics: metricsPage,
    capacity: capacityPage,
  }),
);

const args = process.argv.slice(2);
const targets = args.filter((arg) => arg !== '--check');
const unknown = targets.filter((target) => !PRINTERS.has(target));
if (targets.length === 0 || unknown.length > 0)
  throw new Error(`usage: generate.ts TARGET... [--check], each target one of ${[...PRINTERS.keys()].join(', ')}`);

for (const target of targets) {
  const [path, text] = await PRINTERS.get(target)!();
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  if (args.includes('--check')) {
    console.error(`${path} is stale: run npm run generate.`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, text);
  }
}

async function schemaFile(): Promise<[path: string, text: string]> {
  const { lexicographicSortSchema, printSchema } = await import('graphql');
  const { schema } = await import('../schema/index.ts');
  return ['schema/schema.graphql', `${printSchema(lexicographicSortSchema(schema))}\n`];
}

async function openApiFile(): Promise<[path: string, text: string]> {
  const { printOpenApi } = await import('../rest-compat/openapi.ts');
  const { ROUTES } = await import('../rest-compat/routes.ts');
  const { schema } = await import('../schema/index.ts');
  return ['openapi.json', `${JSON.stringify(printOpenApi(schema, ROUTES), null, 2)}\n`];
}

async function asyncApiFile(): Promise<[path: string, text: string]> {
  const { printAsyncApi } = await import('../rest-compat/asyncapi/asyncapi.ts');
  const { schema } = await import('../schema/index.ts');
  return ['asyncapi.json', `${JSON.stringify(printAsyncApi(schema), null, 2)}\n`];
}

async function permissionsPage(): Promise<[path: string, text: string]> {
  const { printPermissions } = await import('./print-permissions.ts');
  return ['docs/reference/permissions.md', printPermissions()];
}

async function eventsPage(): Promise<[path: string, text: string]> {
  const { printEvents } = await import('./print-events.ts');
  return ['docs/reference/events.md', printEvents(new URL('../docs/reference/events.md', import.meta.url))];
}

async function mqttPage(): Promise<[path: string, text: string]> {
  const { printMqtt } = await import('./print-mqtt.ts');
  return ['docs/reference/mqtt.md', printMqtt(new URL('../docs/reference/mqtt.md', import.meta.url))];
}

async function limitsPage(): Promise<[path: string, text: string]> {
  const { printLimits } = await import('./print-limits.ts');
  return ['docs/reference/limits.md', printLimits(new URL('../docs/reference/limits.md', import.meta.url))];
}

async function capacityPage(): Promise<[path: string, text: string]> {
  const { printCapacity } = await import('./print-capacity.ts');
  return ['docs/capacity.md', printCapacity(new URL('../docs/capacity.md', import.meta.url))];
}

async function securityPage(): Promise<[path: string, text: string]> {
  const { printSecurity } = await import('./print-security.ts');
  return ['docs/reference/security.md', printSecurity(new URL('../docs/reference/security.md', import.meta.url))];
}

async function metricsPage(): Promise<[path: string, text: string]> {
  const { printMetrics } = await import('./print-metrics.ts');
  return ['docs/reference/metrics.md', printMetrics(new URL('../docs/reference/metrics.md', import.meta.url))];
}

async function configurationPage(): Promise<[path: string, text: string]> {
  const { printSettings } = await import('./print-settings.ts');
  return [
    'docs/reference/configuration.md',
    printSettings(new URL('../docs/reference/configuration.md', import.meta.url)),
  ];
}
