import { connect, createServer } from 'node:net';

/** Relays connections from a loopback port to the socket of the store, for programs that accept only a host name. */
const server = createServer({ allowHalfOpen: true }, (client) => {
  const store = connect({ path: process.env.SOCKET!, allowHalfOpen: true });
  client.setNoDelay(true);
  client.pipe(store).pipe(client);
  client.on('error', () => store.destroy());
  store.on('error', () => client.destroy());
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => process.send!('ready'));
process.once('SIGTERM', () => process.exit(0));
