import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { type ClientPackage, installClient } from '../clients/packages.ts';

/** The React UI kit, with the client version that it requires. */
const UI_KIT: ClientPackage = {
  name: 'ui-kit 3.1.2',
  package: '@amityco/ui-kit',
  version: '3.1.2',
  dependencies: { '@amityco/ts-sdk': '6.16.0', react: '18.3.1', 'react-dom': '18.3.1' },
};

export interface Site {
  url: string;
  close(): Promise<void>;
}

/** Bundles the application with the packages as they are published, and serves it as a page. */
export async function serveUiKit(): Promise<Site> {
  const modules = join(await installClient(UI_KIT), 'node_modules');
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'application.jsx')],
    bundle: true,
    write: false,
    nodePaths: [modules],
    // Not the React of the console: two copies in one page do not work together.
    alias: { react: join(modules, 'react'), 'react-dom': join(modules, 'react-dom') },
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    loader: { '.woff2': 'empty' },
    logLevel: 'error',
  });
  const script = outputFiles[0]!.contents;
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/application.js')) {
      response.setHeader('content-type', 'text/javascript').end(script);
      return;
    }
    if (!/^\/(\?|$)/.test(request.url!)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><meta charset="utf-8"><style>html,body,#root{height:100%;margin:0}</style>' +
        '<div id="root"></div><script src="/application.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
