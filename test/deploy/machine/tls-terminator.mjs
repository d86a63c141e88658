/** In place of nginx where it is not installed: redirects HTTP, serves challenges, and passes TLS on without its headers. */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';

const { MACHINE, HTTP_PORT, HTTPS_PORT, GATEWAY_PORT } = process.env;
const read = (name) => readFileSync(join(MACHINE, 'etc/nginx/tls', name));

createServer(({ url, headers }, response) => {
  const file = join(MACHINE, 'var/www/acme', url);
  if (url.startsWith('/.well-known/acme-challenge/') && existsSync(file)) return response.end(readFileSync(file));
  response.writeHead(308, { location: `https://${headers.host}${url}` }).end();
}).listen(HTTP_PORT, '127.0.0.1');

createTlsServer({ cert: read('fullchain.pem'), key: read('privkey.pem') }, (client) => {
  const gateway = connect(GATEWAY_PORT, '127.0.0.1');
  for (const [from, to] of [
    [client, gateway],
    [gateway, client],
  ]) {
    from.on('error', () => to.destroy());
    from.pipe(to);
  }
}).listen(HTTPS_PORT, '127.0.0.1');
