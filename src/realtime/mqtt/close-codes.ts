/** Codes with which the gateway closes the WebSocket of a client; MQTT 3.1.1 has no packet that gives a reason. */
export const CLOSE = {
  normal: 1000,
  protocol: 1002,
  text: 1003,
  policy: 1008,
  unavailable: 1013,
  unauthorized: 4401,
  banned: 4403,
  flood: 4429,
} as const;

export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE];
