type Row = { [field: string]: unknown };

const FILE_ATTRIBUTES = ['name', 'extension', 'size', 'mimeType', 'metadata'];
const VIDEO = ['original', 'low', 'medium', 'high'];
const HASH_FLAG = ['bits', 'hashes', 'hash'];
const MENTIONEE = ['userIds', 'userPublicIds', 'userInternalIds'];

/** The documented fields of nested objects, by array and field; for a list, of each item. */
const INNER: { [arrayAndField: string]: readonly string[] } = {
  'users.hashFlag': HASH_FLAG,
  'files.attributes': FILE_ATTRIBUTES,
  'posts.data': ['text', 'fileId', 'thumbnailFileId', 'streamId', 'videoFileId'],
  'posts.data.videoFileId': VIDEO,
  'posts.hashFlag': HASH_FLAG,
  'posts.mentionees': MENTIONEE,
  'comments.hashFlag': HASH_FLAG,
  'comments.mentionees': MENTIONEE,
  'comments.attachments': ['fileId'],
  'stories.data': ['text', 'fileId', 'thumbnailFileId', 'imageDisplayMode', 'videoFileId'],
  'stories.data.videoFileId': VIDEO,
  'stories.hashFlag': HASH_FLAG,
  'stories.mentionedUsers': ['userIds', 'userPublicIds'],
  'channels.attachedTo': ['postId', 'videoStreamId', 'roomId'],
  'videoStreamings.platform': ['name', 'version'],
  'videoStreamings.streamerUrl': ['url', 'components'],
  'videoStreamings.streamerUrl.components': ['origin', 'appName', 'streamName', 'query'],
  'videoStreamings.watcherUrl': ['flv', 'hls', 'rtmp'],
  'videoStreamings.watcherUrl.hls.components': ['origin', 'appName', 'streamName', 'query'],
  'videoStreamings.recordings': ['flv', 'mp4', 'm3u8'],
  'polls.answers': ['data', 'fileId', 'voteCount', 'isVotedByUser', 'id'],
  'messageFeeds.hashFlag': HASH_FLAG,
  'messageFeeds.mentionees': MENTIONEE,
  'messageFeeds.latestReaction': [
    'referenceId',
    'referenceType',
    'reactionName',
    'userId',
    'userDisplayName',
    'reactionId',
    'eventName',
    'createdAt',
  ],
};

/** The documented fields that nested objects of a response lack. */
export function shapeProblems(body: Row): string[] {
  return Object.entries(INNER).flatMap(([place, names]) => {
    const objects = place.split('.').reduce(into, [body]);
    return objects.flatMap((object) =>
      names.flatMap((name) => (Object.hasOwn(object, name) ? [] : [`${place}.${name} is missing`])),
    );
  });
}

function into(objects: Row[], field: string): Row[] {
  return objects.flatMap((object) => {
    const value = object[field] ?? [];
    return (Array.isArray(value) ? value : [value]) as Row[];
  });
}
