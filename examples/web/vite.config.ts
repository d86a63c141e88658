import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** The gateway of `npm start`. */
const { GATEWAY_URL = 'http://127.0.0.1:4000', API_KEY = keyOfDevelopment() } = process.env;

/** The key that `npm start` has generated. It identifies the network and is part of every client, so it is no secret. */
function keyOfDevelopment(): string {
  try {
    return JSON.parse(readFileSync(new URL('../../data/keys.json', import.meta.url), 'utf8')).API_KEY;
  } catch {
    throw new Error('There is no data/keys.json: run `npm start` first, or set GATEWAY_URL and API_KEY.');
  }
}

export default defineConfig({
  root: import.meta.dirname,
  define: {
    'import.meta.env.GATEWAY_URL': JSON.stringify(GATEWAY_URL),
    'import.meta.env.API_KEY': JSON.stringify(API_KEY),
  },
  resolve: { alias: { 'colloquy-client': fileURLToPath(new URL('../../client/src/index.ts', import.meta.url)) } },
  server: { port: 5173, fs: { allow: ['../..'] } },
  esbuild: { jsx: 'automatic' },
});
