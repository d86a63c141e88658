/**
 * Listens to events over a websocket (`graphql-transport-ws`). Whenever the connection breaks it comes back and goes on
 * after the last event it was told, so that none is missed and none comes twice.
 */

const EVENTS = `subscription ($types: [EventType!], $topic: String, $after: String) {
  events(types: $types, topic: $topic, after: $after) {
    cursor
    id
    type
    path
    actorId
    sendTime
    ... on PostEvent { post { ...PostTold } }
    ... on PostReactionEvent { post { ...PostTold } reactor { ...ReactorTold } }
    ... on CommentEvent { comment { ...CommentTold } }
    ... on CommentReactionEvent { comment { ...CommentTold } reactor { ...ReactorTold } }
    ... on StoryEvent { story { ...StoryTold } }
    ... on StoryReactionEvent { story { ...StoryTold } reactor { ...ReactorTold } }
    ... on CommunityEvent { community { ...CommunityTold } }
    ... on CommunityUsersEvent { community { ...CommunityTold } communityUsers { userId roles isBanned } }
    ... on ChannelEvent { channel { ...ChannelTold } }
    ... on ChannelUsersEvent { channel { ...ChannelTold } channelUsers { userId roles isBanned isMuted } }
    ... on MessageFeedEvent { messageFeed { messageFeedId channelId name } }
    ... on MessageEvent { chatMessage { ...MessageTold } }
    ... on MessageReactionEvent { chatMessage { ...MessageTold } reactor { ...ReactorTold } }
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
fragment PostTold on Post { postId data { text title } author { userId displayName } reactions commentsCount }
fragment CommentTold on Comment { commentId data userId }
fragment StoryTold on Story { storyId dataType userId }
fragment CommunityTold on Community { communityId displayName membersCount }
fragment ChannelTold on Channel { channelId displayName memberCount }
fragment MessageTold on Message { messageId data segment channelId }
fragment ReactorTold on Reaction { userId reactionName }`;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** The server gives a sign of life every 15 s. */
const SILENCE_MS = 40_000;
/** Close codes after which coming back would not help: not understood, not known, not wanted. */
const FINAL = new Set([4400, 4401, 4403]);

/**
 * @param {object} options
 * @param {string} options.url of the websocket
 * @param {string} options.token access token
 * @param {string[]} options.types names of the enum `EventType`; none for all
 * @param {string} options.topic empty for all
 * @param {(event: object) => void} options.onEvent called in order, once for each
 * @param {(state: {name: 'connecting' | 'live' | 'away' | 'gap' | 'over', reason?: string}) => void} options.onState
 * @returns {{close: () => void}}
 */
export function listen({ url, token, types, topic, onEvent, onState }) {
  let socket;
  let cursor = null;
  let pause = FIRST_PAUSE_MS;
  let timer;
  let isOver = false;

  function connect() {
    onState({ name: 'connecting' });
    const mine = new WebSocket(url, 'graphql-transport-ws');
    socket = mine;
    const say = (message) => mine.readyState === WebSocket.OPEN && mine.send(JSON.stringify(message));
    watch(mine);
    mine.onopen = () => say({ type: 'connection_init', payload: { Authorization: `Bearer ${token}` } });
    mine.onmessage = ({ data }) => {
      if (isOver || socket !== mine) return;
      watch(mine);
      hear(JSON.parse(data), say);
    };
    mine.onclose = ({ code, reason }) => {
      if (isOver || socket !== mine) return;
      if (FINAL.has(code)) return end(reason || `The server closed with ${code}.`);
      comeBack();
    };
  }

  function hear({ type, id, payload }, say) {
    if (type === 'connection_ack') {
      // A place to go on from, also when the connection breaks before anything has happened.
      if (cursor === null) say({ type: 'subscribe', id: 'place', payload: { query: '{ eventCursor }' } });
      else subscribe(say);
    } else if (type === 'ping') {
      say({ type: 'pong' });
      if (payload?.ids.includes('events') && payload.cursor > cursor) cursor = payload.cursor;
    } else if (type === 'next' && id === 'place') {
      cursor = payload.data?.eventCursor ?? null;
      if (cursor === null) comeBack();
      else subscribe(say);
    } else if (type === 'next') {
      const event = payload.data?.events;
      if (!event) return comeBack();
      cursor = event.cursor;
      onEvent(event);
    } else if (type === 'error') {
      refused(payload[0]);
    } else if (type === 'complete' && id === 'events') {
      comeBack();
    }
  }

  function subscribe(say) {
    pause = FIRST_PAUSE_MS;
    const variables = { types: types.length > 0 ? types : null, topic: topic || null, after: cursor };
    say({ type: 'subscribe', id: 'events', payload: { query: EVENTS, variables } });
    onState({ name: 'live' });
  }

  function refused({ message, extensions }) {
    if (extensions?.code === 'CURSOR_EXPIRED') {
      cursor = null;
      onState({ name: 'gap', reason: message });
      comeBack();
    } else if (extensions?.code === 'UNAVAILABLE' || extensions?.code === 'RATE_LIMITED') {
      comeBack();
    } else {
      end(message);
    }
  }

  function comeBack() {
    leave();
    onState({ name: 'away' });
    timer = setTimeout(connect, pause * (0.5 + Math.random()));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  /** Closes a connection over which nothing comes any more. */
  function watch(mine) {
    clearTimeout(timer);
    timer = setTimeout(() => socket === mine && comeBack(), SILENCE_MS);
  }

  function leave() {
    clearTimeout(timer);
    const mine = socket;
    socket = undefined;
    mine?.close(1000);
  }

  function end(reason) {
    isOver = true;
    leave();
    onState({ name: 'over', reason });
  }

  connect();
  return {
    close() {
      isOver = true;
      leave();
    },
  };
}
