import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startTestGateway, type TestGateway } from './gateway.ts';
import type { Payload } from './mutate.ts';

/** A field of a form; with a file name, a file. */
export type Part = [name: string, content: string | Uint8Array, fileName?: string, type?: string];

/** Requests of files to a gateway, and what it stores of them. */
export interface FileRequests {
  /** Sends a form. @param as null sends no token @default alice */
  upload(path: string, parts: Part[], as?: string | null): Promise<{ status: number; body: Payload }>;
  /** Downloads a file. @param as null sends no token @default null */
  fetchFile(fileId: string, as?: string | null): Promise<Response>;
  /** The names of the stored files, sorted. */
  kept(): Promise<string[]>;
  /** The number of records. */
  records(): Promise<number>;
}

export function fileRequests(gateway: TestGateway): FileRequests {
  const { config, store } = gateway.services;
  const headersOf = async (as: string | null) =>
    as === null ? {} : { headers: { authorization: `Bearer ${await gateway.tokenOf(as)}` } };
  return {
    async upload(path, parts, as = 'alice') {
      const form = new FormData();
      for (const [name, content, fileName, type] of parts) {
        if (fileName === undefined) form.append(name, content as string);
        else form.append(name, new Blob([content as never], { type: type ?? 'text/html' }), fileName);
      }
      const init = { method: 'POST', body: form, ...(await headersOf(as)) };
      const response = await fetch(`${gateway.url}${path}`, init);
      return { status: response.status, body: (await response.json()) as Payload };
    },
    fetchFile: async (fileId, as = null) => fetch(`${gateway.url}/files/${fileId}`, await headersOf(as)),
    kept: async () => (await readdir(join(config.DATA_DIR, 'files'))).sort(),
    records: () => store.collections.files.countDocuments({ networkId: 'default' }),
  };
}

/** Starts a gateway for the tests of a file, with requests of files to it. */
export function useFileRequests(): { readonly gateway: TestGateway; readonly files: FileRequests } {
  let gateway: TestGateway;
  let files: FileRequests;
  beforeAll(async () => {
    gateway = await startTestGateway();
    files = fileRequests(gateway);
  });
  afterAll(() => gateway.close());
  return {
    get gateway() {
      return gateway;
    },
    get files() {
      return files;
    },
  };
}
