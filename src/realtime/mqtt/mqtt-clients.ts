import type { MqttConnectionKey } from '../../domain/mqtt-session/mqtt-session.ts';
import type { Hub } from '../../events/hub.ts';

/** The newest connection of each MQTT client to this process. */
export interface MqttClients {
  /**
   * Registers a connection before its session is stored, and closes the previous one of the client in this process.
   * When the client connects to another process, `close` is called.
   *
   * @returns unregisters it
   */
  takeOver(connection: MqttConnectionKey, close: () => void): () => void;
  close(): void;
}

interface MqttClient {
  connectionId: string;
  /** Whether the log has reported this connection. Connections that it reported earlier are older. */
  isReported: boolean;
  close(): void;
}

/** MQTT 3.1.1, section 3.1.4: a client that connects again replaces its connection, also in another process. */
export function createMqttClients(hub: Pick<Hub, 'onMqttConnect'>): MqttClients {
  const bySession = new Map<string, MqttClient>();
  const unsubscribe = hub.onMqttConnect(({ sessionId, connectionId }) => {
    const client = bySession.get(sessionId);
    if (client?.connectionId === connectionId) client.isReported = true;
    else if (client?.isReported) client.close();
  });
  return {
    takeOver({ sessionId, connectionId }, close) {
      bySession.get(sessionId)?.close();
      const client: MqttClient = { connectionId, isReported: false, close };
      bySession.set(sessionId, client);
      return () => {
        if (bySession.get(sessionId) === client) bySession.delete(sessionId);
      };
    },
    close: unsubscribe,
  };
}
