import { print } from 'graphql';
import { operation } from '../../rest-compat/documents.ts';
import { messageRecord } from '../../src/sample/builders/chat.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { benchContext, feedId, NETWORK_ID } from '../data.ts';
import { startGateway } from '../http/servers.ts';
import { median, shuffled } from '../stats.ts';
import { table } from '../table.ts';
import { createEvents, type Delivery, measureDelivery, signInSubscribers } from './delivery.ts';

/** Sizes and durations of the comparison of MQTT with GraphQL. */
export interface MqttScale {
  sockets: number;
  rounds: number;
  millisecondsFast: number;
  millisecondsSteady: number;
}

type Transport = 'MQTT' | 'GraphQL';

export interface MqttResult extends Delivery {
  transport: Transport;
}

export interface MqttReport {
  /** Medians of all rounds. */
  results: MqttResult[];
  /** Messages per second over MQTT divided by those over GraphQL; the median of the rounds. */
  ratio: number;
  faults: string[];
}

/** MQTT delivers at least this share of the messages per second that GraphQL delivers. */
const MIN_RATIO = 0.8;

/** The document of the MQTT envelope, with the fields around it: both transports send the same records. */
const QUERY = print(operation('MessageEvent').read()).replace(
  'messageCreated {',
  'messageCreated { path id type senderId sendTime',
);

/** What published clients subscribe to after login, and one channel. */
const topicsOf = (channelId: string): string[] => [
  NETWORK_ID,
  `${NETWORK_ID}/smartfeed/{me}/channels`,
  `${NETWORK_ID}/smartfeed/{me}/messagefeeds`,
  `${NETWORK_ID}/smartfeed/{me}/messages`,
  `${NETWORK_ID}/user/{me}`,
  `${NETWORK_ID}/marker/user/{me}`,
  `${NETWORK_ID}/chat/${channelId}/#`,
];

/**
 * Compares MQTT with GraphQL over WebSockets, on one gateway process each: every socket receives every message of one
 * channel. The transports are measured in random order in each round.
 */
export async function measureMqtt(uri: string, { sockets: size, rounds, ...scale }: MqttScale): Promise<MqttReport> {
  const store = await openStore({ uri });
  try {
    const users = await signInSubscribers(uri, (index) => `bench-user-${index}`);
    const { path, messageId, channelInternalId } = await writeMessage(store);
    const events = createEvents(store, () => ({ type: 'message.created', path: `${path}/`, data: { messageId } }));
    const fleets = {
      MQTT: { path: '/mqtt', topics: topicsOf(channelInternalId) },
      GraphQL: { path: '/graphql', query: QUERY },
    };
    const all: Array<{ [Name in Transport]: Delivery }> = [];
    for (let round = 0; round < rounds; round += 1) {
      const measured: Partial<{ [Name in Transport]: Delivery }> = {};
      for (const transport of shuffled(['MQTT', 'GraphQL'] as const)) {
        const fleet = { ...fleets[transport], size, users };
        measured[transport] = await measureDelivery({ start: () => startGateway(uri), fleet, events, scale });
      }
      all.push(measured as { [Name in Transport]: Delivery });
    }
    return reportOf(all);
  } finally {
    await store.close();
  }
}

async function writeMessage({ collections }: Store) {
  const feed = await collections.messageFeeds.findOne({ networkId: NETWORK_ID, messageFeedId: feedId(0, 'talk') });
  const text = 'A message that every member of the channel receives.';
  // The measured writes of messages take the first segments.
  const given = { name: 'bench-message', userId: 'bench-user-0', segment: 1_000_000_000, text };
  const message = messageRecord(benchContext(), { feed: feed!, ...given });
  await collections.messages.replaceOne({ networkId: NETWORK_ID, messageId: message.messageId }, message, {
    upsert: true,
  });
  return message;
}

function reportOf(rounds: ReadonlyArray<{ [Name in Transport]: Delivery }>): MqttReport {
  const results = (['MQTT', 'GraphQL'] as const).map((transport): MqttResult => {
    const of = (name: Exclude<keyof Delivery, 'isComplete'>) => median(rounds.map((round) => round[transport][name]));
    return {
      transport,
      sockets: of('sockets'),
      messagesPerSecond: of('messagesPerSecond'),
      bytes: of('bytes'),
      rate: of('rate'),
      p50: of('p50'),
      p99: of('p99'),
      isComplete: rounds.every((round) => round[transport].isComplete),
      residentMb: of('residentMb'),
      idleKb: of('idleKb'),
    };
  });
  const ratio = median(rounds.map(({ MQTT, GraphQL }) => MQTT.messagesPerSecond / GraphQL.messagesPerSecond));
  const faults = [
    ...(ratio < MIN_RATIO
      ? [`messages/s over MQTT are ${ratio.toFixed(2)} of those over GraphQL, not ${MIN_RATIO}`]
      : []),
    ...results.filter(({ isComplete }) => !isComplete).map(({ transport }) => `${transport} lost messages`),
  ];
  return { results, ratio, faults };
}

export function printMqtt({ results, ratio, faults }: MqttReport): string {
  const rows = results.map((result) => [
    `${result.sockets.toLocaleString('en')} sockets: ${result.transport}`,
    result.transport === 'MQTT' ? ratio : 1,
    Math.round(result.messagesPerSecond),
    result.bytes,
    `${result.rate}/s${result.isComplete ? '' : ', incomplete'}`,
    result.p50,
    result.p99,
    Math.round(result.residentMb),
    Math.round(result.idleKb),
  ]);
  const head = ['', '× GraphQL', 'messages/s', 'bytes', 'steady', 'p50 ms', 'p99 ms', 'RSS MB', 'KB each'];
  return [
    'MQTT and GraphQL over WebSockets, the messages of one channel on every socket',
    table(head, rows),
    ...(faults.length > 0 ? faults.map((fault) => `Exceeded: ${fault}`) : ['All bounds hold.']),
  ].join('\n');
}
