/**
 * Subscribes to events over a WebSocket (`graphql-transport-ws`). After a broken connection it reconnects and resumes
 * after the last event it received, so that each event is delivered exactly once.
 */

const EVENTS = `subscription ($types: [EventType!], $topic: String, $after: String) {
  events(types: $types, topic: $topic, after: $after) {
    cursor
    id
    type
    path
    actorId
    sendTime
    ... on PostEvent { post { ...PostFields } }
    ... on PostReactionEvent { post { ...PostFields } reactor { ...ReactorFields } }
    ... on CommentEvent { comment { ...CommentFields } }
    ... on CommentReactionEvent { comment { ...CommentFields } reactor { ...ReactorFields } }
    ... on StoryEvent { story { ...StoryFields } }
    ... on StoryReactionEvent { story { ...StoryFields } reactor { ...ReactorFields } }
    ... on CommunityEvent { community { ...CommunityFields } }
    ... on CommunityUsersEvent { community { ...CommunityFields } communityUsers { userId roles isBanned } }
    ... on ChannelEvent { channel { ...ChannelFields } }
    ... on ChannelUsersEvent { channel { ...ChannelFields } channelUsers { userId roles isBanned isMuted } }
    ... on MessageFeedEvent { messageFeed { messageFeedId channelId name } }
    ... on MessageEvent { chatMessage { ...MessageFields } }
    ... on MessageReactionEvent { chatMessage { ...MessageFields } reactor { ...ReactorFields } }
    ... on UserEvent { user { userId displayName roles isDeleted } }
    ... on MarkerEvent { userFeedMarkers { userId feedId readToSegment deliveredToSegment unreadCount } }
    ... on PollEvent { poll { pollId question status } }
    ... on VideoStreamEvent { videoStream { streamId title status } }
    ... on RoomEvent { room { roomId title status } }
    ... on JoinRequestEvent { joinRequest { joinRequestId requestorId targetId status } }
    ... on RoleEvent { role { roleId displayName permissions } }
    ... on CategoryEvent { category { categoryId name } }
    ... on FileEvent { file { fileId fileUrl } }
  }
}
fragment PostFields on Post { postId data { text title } author { userId displayName } reactions commentsCount }
fragment CommentFields on Comment { commentId data userId }
fragment StoryFields on Story { storyId dataType userId }
fragment CommunityFields on Community { communityId displayName membersCount }
fragment ChannelFields on Channel { channelId displayName memberCount }
fragment MessageFields on Message { messageId data segment channelId }
fragment ReactorFields on Reaction { userId reactionName }`;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** The server sends a ping every 15 s. */
const SILENCE_MS = 40_000;
/** Close code of a token that has expired or is invalid. */
const UNAUTHORIZED = 4401;
/** Close codes after which reconnecting cannot succeed: protocol violation, banned user. */
const FINAL = new Set([4400, 4403]);

/**
 * @param {object} options
 * @param {string} options.url of the WebSocket
 * @param {() => string} options.token access token, for each connection
 * @param {() => Promise<boolean>} options.renew renews a token that has expired, if possible
 * @param {string[]} options.types names of the enum `EventType`; none for all
 * @param {string} options.topic empty for all
 * @param {(event: object) => void} options.onEvent called in order, once for each
 * @param {(state: {name: 'connecting' | 'live' | 'reconnecting' | 'gap' | 'ended', reason?: string}) => void} options.onState
 * @returns {{close: () => void}}
 */
export function listen({ url, token, renew, types, topic, onEvent, onState }) {
  let socket;
  let cursor = null;
  let pause = FIRST_PAUSE_MS;
  let timer;
  let isOver = false;

  function connect() {
    onState({ name: 'connecting' });
    const current = new WebSocket(url, 'graphql-transport-ws');
    socket = current;
    const send = (message) => current.readyState === WebSocket.OPEN && current.send(JSON.stringify(message));
    watch(current);
    current.onopen = () => send({ type: 'connection_init', payload: { Authorization: `Bearer ${token()}` } });
    current.onmessage = ({ data }) => {
      if (isOver || socket !== current) return;
      watch(current);
      receive(JSON.parse(data), send);
    };
    current.onclose = ({ code, reason }) => {
      if (isOver || socket !== current) return;
      const text = reason || `The server closed with ${code}.`;
      if (code === UNAUTHORIZED) return void resume(text);
      if (FINAL.has(code)) return end(text);
      reconnect();
    };
  }

  /** Reconnects with a new token, or ends without one. */
  async function resume(reason) {
    disconnect();
    const isRenewed = await renew();
    if (isOver) return;
    if (isRenewed) reconnect();
    else end(reason);
  }

  function receive({ type, id, payload }, send) {
    if (type === 'connection_ack') {
      // A cursor to resume from, also if the connection breaks before the first event.
      if (cursor === null) send({ type: 'subscribe', id: 'cursor', payload: { query: '{ eventCursor }' } });
      else subscribe(send);
    } else if (type === 'ping') {
      send({ type: 'pong' });
      if (payload?.ids.includes('events') && payload.cursor > cursor) cursor = payload.cursor;
    } else if (type === 'next' && id === 'cursor') {
      cursor = payload.data?.eventCursor ?? null;
      if (cursor === null) reconnect();
      else subscribe(send);
    } else if (type === 'next') {
      const event = payload.data?.events;
      if (!event) return reconnect();
      cursor = event.cursor;
      onEvent(event);
    } else if (type === 'error') {
      refused(payload[0]);
    } else if (type === 'complete' && id === 'events') {
      reconnect();
    }
  }

  function subscribe(send) {
    pause = FIRST_PAUSE_MS;
    const variables = { types: types.length > 0 ? types : null, topic: topic || null, after: cursor };
    send({ type: 'subscribe', id: 'events', payload: { query: EVENTS, variables } });
    onState({ name: 'live' });
  }

  function refused({ message, extensions }) {
    if (extensions?.code === 'CURSOR_EXPIRED') {
      cursor = null;
      onState({ name: 'gap', reason: message });
      reconnect();
    } else if (extensions?.code === 'UNAVAILABLE' || extensions?.code === 'RATE_LIMITED') {
      reconnect();
    } else {
      end(message);
    }
  }

  function reconnect() {
    disconnect();
    onState({ name: 'reconnecting' });
    timer = setTimeout(connect, pause * (0.5 + Math.random()));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  /** Reconnects when the connection is silent for too long. */
  function watch(current) {
    clearTimeout(timer);
    timer = setTimeout(() => socket === current && reconnect(), SILENCE_MS);
  }

  function disconnect() {
    clearTimeout(timer);
    const current = socket;
    socket = undefined;
    current?.close(1000);
  }

  function end(reason) {
    isOver = true;
    disconnect();
    onState({ name: 'ended', reason });
  }

  connect();
  return {
    close() {
      isOver = true;
      disconnect();
    },
  };
}
