import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';

/** Time in which a metadata service of the machine answers; machines without one do not answer at all. */
const METADATA_MS = 2_000;
/** Time in which the token service answers, which is outside the machine. */
const TOKEN_SERVICE_MS = 10_000;

export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** Milliseconds since 1970; absent for keys that do not expire. */
  expiresAt?: number;
}

type Env = Record<string, string | undefined>;
type Settings = Pick<Config, 'BUCKET_KEY_ID' | 'BUCKET_SECRET' | 'BUCKET_REGION'>;

/**
 * The configured keys of the bucket, or the first credentials that the machine has, found as Amazon's own programs find
 * them: the environment, the file `~/.aws/credentials`, a web identity token (EKS), the container (ECS, EKS pod identity), and
 * the instance (EC2).
 *
 * @throws when there are none, naming the places that were searched
 */
export async function findCredentials(
  { BUCKET_KEY_ID, BUCKET_SECRET, BUCKET_REGION }: Settings,
  env: Env = process.env,
): Promise<Credentials> {
  if (BUCKET_KEY_ID && BUCKET_SECRET) return { accessKeyId: BUCKET_KEY_ID, secretAccessKey: BUCKET_SECRET };
  const found =
    fromEnvironment(env) ??
    (await fromFile(env)) ??
    (await fromWebIdentity(env, BUCKET_REGION)) ??
    (await fromContainer(env)) ??
    (await fromInstance(env));
  if (found) return found;
  throw new Error(
    'No credentials for the bucket: set BUCKET_KEY_ID and BUCKET_SECRET, or give the machine a role. ' +
      'The environment, ~/.aws/credentials, web identity, container and instance have none.',
  );
}

function fromEnvironment(env: Env): Credentials | null {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  return credentialsOf(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN);
}

/** Reads the keys of `AWS_PROFILE`, by default `default`, from the shared credentials file. */
async function fromFile(env: Env): Promise<Credentials | null> {
  const path = env.AWS_SHARED_CREDENTIALS_FILE ?? join(homedir(), '.aws', 'credentials');
  const text = await readFile(path, 'utf8').catch(() => '');
  const keys = new Map<string, string>();
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[([^\]]+)\]/.exec(line);
    if (header) section = header[1]!.trim();
    const pair = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(line);
    if (pair && section === (env.AWS_PROFILE ?? 'default')) keys.set(pair[1]!, pair[2]!);
  }
  return credentialsOf(keys.get('aws_access_key_id'), keys.get('aws_secret_access_key'), keys.get('aws_session_token'));
}

/** Exchanges the token of a Kubernetes service account for keys of a role. */
async function fromWebIdentity(env: Env, region: string): Promise<Credentials | null> {
  const { AWS_ROLE_ARN, AWS_WEB_IDENTITY_TOKEN_FILE, AWS_ROLE_SESSION_NAME = 'colloquy' } = env;
  if (!AWS_ROLE_ARN || !AWS_WEB_IDENTITY_TOKEN_FILE) return null;
  const response = await fetch(env.AWS_ENDPOINT_URL_STS ?? `https://sts.${region}.amazonaws.com/`, {
    method: 'POST',
    signal: AbortSignal.timeout(TOKEN_SERVICE_MS),
    body: new URLSearchParams({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      RoleArn: AWS_ROLE_ARN,
      RoleSessionName: AWS_ROLE_SESSION_NAME,
      WebIdentityToken: (await readFile(AWS_WEB_IDENTITY_TOKEN_FILE, 'utf8')).trim(),
    }),
  });
  const text = await response.text();
  const member = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1];
  const found = credentialsOf(
    member('AccessKeyId'),
    member('SecretAccessKey'),
    member('SessionToken'),
    member('Expiration'),
  );
  if (!found)
    throw new Error(`The role of AWS_ROLE_ARN could not be assumed (${response.status}): ${text.slice(0, 500)}`);
  return found;
}

async function fromContainer(env: Env): Promise<Credentials | null> {
  const { AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path, AWS_CONTAINER_CREDENTIALS_FULL_URI: full } = env;
  const url = path ? `http://169.254.170.2${path}` : full;
  if (!url) return null;
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE;
  const token = file ? (await readFile(file, 'utf8')).trim() : env.AWS_CONTAINER_AUTHORIZATION_TOKEN;
  return fromJson(await fetchMetadata(url, { headers: token ? { authorization: token } : {} }));
}

/** Asks the metadata service of the instance, version 2, for the keys of its role. */
async function fromInstance(env: Env): Promise<Credentials | null> {
  if (env.AWS_EC2_METADATA_DISABLED === 'true') return null;
  const base = `${(env.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? 'http://169.254.169.254').replace(/\/$/, '')}/latest`;
  try {
    const token = await fetchMetadata(`${base}/api/token`, {
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '21600' },
    });
    const options = { headers: { 'x-aws-ec2-metadata-token': token } };
    const roles = `${base}/meta-data/iam/security-credentials/`;
    const role = (await fetchMetadata(roles, options)).split('\n')[0]!.trim();
    return fromJson(await fetchMetadata(`${roles}${role}`, options));
  } catch {
    // No such service, or no role: the caller reports that there are no credentials.
    return null;
  }
}

async function fetchMetadata(url: string, options: RequestInit): Promise<string> {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(METADATA_MS) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`);
  return response.text();
}

function fromJson(text: string): Credentials | null {
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = JSON.parse(text) as Record<string, string | undefined>;
  return credentialsOf(AccessKeyId, SecretAccessKey, Token, Expiration);
}

function credentialsOf(id?: string, secret?: string, token?: string, expiration?: string): Credentials | null {
  if (!id || !secret) return null;
  return {
    accessKeyId: id,
    secretAccessKey: secret,
    ...(token && { sessionToken: token }),
    ...(expiration && { expiresAt: Date.parse(expiration) }),
  };
}
