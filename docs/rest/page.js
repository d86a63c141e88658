/** Adds links of this gateway above Swagger UI, and a filter that also finds operations by path, id and summary. */

const header = document.createElement('header');
header.id = 'site';
const title = document.createElement('strong');
title.textContent = 'Colloquy REST';
header.append(title);
for (const [path, name] of [
  ['/graphql', 'GraphQL'],
  ['/docs/events', 'Events'],
  ['/openapi.json', 'OpenAPI'],
  ['/admin', 'Console'],
]) {
  const link = document.createElement('a');
  link.href = path;
  link.textContent = name;
  header.append(link);
}
document.body.prepend(header);

const textOf = (operation) =>
  [operation.get('path'), ...['operationId', 'summary'].map((name) => operation.getIn(['operation', name]))]
    .join(' ')
    .toLowerCase();

/** Groups whose name contains the phrase, and the operations of the others that contain it. */
function opsFilter(groups, phrase) {
  const wanted = phrase.trim().toLowerCase();
  return groups
    .map((group, name) =>
      name.includes(wanted)
        ? group
        : group.update('operations', (operations) =>
            operations.filter((operation) => textOf(operation).includes(wanted)),
          ),
    )
    .filter((group) => group.get('operations').size > 0);
}

/** Groups are closed, except while the filter contains a phrase. */
const isShown = (original) => (state, thing, byDefault) => {
  const phrase = state.get('filter');
  const isFound = thing[0] === 'operations-tag' && typeof phrase === 'string' && phrase.trim().length > 1;
  // The original is bound to the state already.
  return original(thing, isFound || byDefault);
};

const plugin = () => ({ fn: { opsFilter }, statePlugins: { layout: { wrapSelectors: { isShown } } } });

// The initializer of Swagger UI, which runs on load, calls this instead.
const original = globalThis.SwaggerUIBundle;
globalThis.SwaggerUIBundle = Object.assign(
  (config) => original({ ...config, plugins: [...config.plugins, plugin] }),
  original,
);
