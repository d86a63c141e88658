/** Last sentence of the descriptions of mutations for media services. */
export const MEDIA_SERVICE =
  'Meant for media services: requires EDIT_USER_FEED_POST in the network, or the `X-Server-Key` header in addition to the token.';
