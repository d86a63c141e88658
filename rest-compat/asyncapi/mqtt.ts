import { REALTIME_NAMES } from '../../src/events/catalogue.ts';
import { type Parts, ref } from './parts.ts';

/** MQTT over WebSocket, as one channel: any topic carries the envelopes of the events that match it. */
export function mqttParts(): Parts {
  return {
    messages: {},
    channels: {
      mqtt: {
        address: '{topic}',
        title: 'MQTT over WebSocket',
        description:
          'MQTT 3.1.1 at `/mqtt`, subprotocol `mqtt`, QoS 0. The client subscribes to topics below the paths of records; an event is delivered once, under its path or the own topic of the user.',
        servers: [{ $ref: '#/servers/mqtt' }],
        parameters: { topic: { description: 'The path of the event, or `<network>/smartfeed/<user>/<part>`.' } },
        messages: Object.fromEntries(REALTIME_NAMES.map((name) => [name, ref('messages', `realtime.${name}`)])),
      },
    },
    operations: {
      'mqtt.publish': {
        action: 'send',
        channel: { $ref: '#/channels/mqtt' },
        title: 'Deliver events to topics',
        security: [ref('securitySchemes', 'mqttToken')],
        messages: REALTIME_NAMES.map((name) => ({ $ref: `#/channels/mqtt/messages/${name.replaceAll('~', '~0')}` })),
        bindings: { mqtt: { qos: 0, retain: false, bindingVersion: '0.2.0' } },
      },
    },
  };
}
