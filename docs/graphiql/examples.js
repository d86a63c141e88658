/** The tabs that GraphiQL opens with. */

const QUERY = `# Sign in above, then press Ctrl+Enter.
query Feed {
  viewer {
    userId
    displayName
  }
  globalFeed(first: 3) {
    edges {
      node {
        postId
        data {
          text
        }
        author {
          displayName
        }
        commentsCount
        reactions
      }
    }
  }
}
`;

const CREATE_POST = `# Writes a post to a community.
# Its values are in Variables below.
mutation CreatePost($input: CreatePostInput!) {
  createPost(input: $input) {
    ... on CreatePostPayload {
      post {
        postId
        createdAt
        data {
          text
        }
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
`;

const CREATE_COMMUNITY = `# Creates a community.
# Its values are in Variables below.
mutation CreateCommunity($input: CreateCommunityInput!) {
  createCommunity(input: $input) {
    ... on CreateCommunityPayload {
      community {
        communityId
        displayName
      }
    }
    ... on OperationError {
      code
      message
    }
  }
}
`;

const SUBSCRIPTION = `# Runs until you stop it. Run the mutation
# in a second window to see its event.
subscription Events {
  events {
    type
    path
    sendTime
    ... on PostEvent {
      post {
        postId
        data {
          text
        }
      }
    }
    ... on CommunityEvent {
      community {
        displayName
      }
    }
  }
}
`;

const POST = { targetType: 'COMMUNITY', targetId: 'gardeners', data: { text: 'The first seedlings are up.' } };
const COMMUNITY = { displayName: 'Created in GraphiQL' };
const format = (input) => JSON.stringify({ input }, null, 2);

/**
 * @param {object} options
 * @param {boolean} options.isSample whether the network has the records of the sample network
 * @returns {Array<{query: string, variables?: string}>} a query, a mutation and a subscription
 */
export function examples({ isSample }) {
  const mutation = isSample
    ? { query: CREATE_POST, variables: format(POST) }
    : { query: CREATE_COMMUNITY, variables: format(COMMUNITY) };
  return [{ query: QUERY }, mutation, { query: SUBSCRIPTION }];
}
