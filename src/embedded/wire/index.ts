/** The MongoDB wire protocol: the socket, message framing, encoding and decoding. */

export { decodeCommand, decodeSent, MAX_DOCUMENT_SIZE, MAX_MESSAGE_SIZE, type Message } from './messages.ts';
export { type Answer, type Connection, listen, type MessageHandler, type Reply } from './server.ts';
