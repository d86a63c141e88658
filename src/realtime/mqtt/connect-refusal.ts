import type { Viewer } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import { LIVE_LIMITS } from '../../limits/limits.ts';
import { CLOSE, type CloseCode } from './close-codes.ts';
import { CONNACK, type ConnackCode, type IConnectPacket } from './packets.ts';

/** How a CONNECT is refused: the return code of CONNACK, then the code of the WebSocket. */
export interface ConnectRefusal {
  code: ConnackCode;
  closeCode: CloseCode;
}

/** Checks the fields of a CONNECT that need no token. @returns null if they are valid */
export function refusalOfConnect(packet: IConnectPacket): ConnectRefusal | null {
  const { protocolId, protocolVersion, clientId = '', clean = false } = packet;
  if (protocolId !== 'MQTT' || protocolVersion !== 4) {
    return { code: CONNACK.wrongProtocol, closeCode: CLOSE.protocol };
  }
  // Section 3.1.3.1: a client without an identifier cannot continue a session.
  if ((clientId === '' && !clean) || clientId.length > LIVE_LIMITS.mqttClientId || clientId.includes('\0')) {
    return { code: CONNACK.refusedClientId, closeCode: CLOSE.policy };
  }
  return null;
}

/** The refusal for an error while a client connects. */
export function refusalOfError(error: unknown): ConnectRefusal {
  switch (error instanceof OperationError ? error.errorName : 'UNAVAILABLE') {
    case 'UNAUTHORIZED':
      return { code: CONNACK.badCredentials, closeCode: CLOSE.unauthorized };
    case 'GLOBALLY_BANNED':
      return { code: CONNACK.notAuthorized, closeCode: CLOSE.banned };
    case 'RATE_LIMITED':
      return { code: CONNACK.unavailable, closeCode: CLOSE.flood };
    default:
      return { code: CONNACK.unavailable, closeCode: CLOSE.unavailable };
  }
}

/** The user name is optional, because the token names the user; one of another user is refused. */
export function isUsernameOf({ userId, userInternalId }: Viewer, username: string | undefined): boolean {
  return username === undefined || username === userInternalId || username === userId;
}
