/** The live page: signs in, lets the user select events and shows them as they arrive. All content is set as text. */

import { listen } from './listen.js';
import { openSession } from './session.js';

const MAX_SHOWN = 200;
const signIn = document.querySelector('#sign-in');
const choice = document.querySelector('#choice');
const list = document.querySelector('#events');
const state = document.querySelector('#state');

let session = null;
let subscription = null;
let count = 0;
let reconnects = 0;
let gaps = 0;

function element(tag, text, children = []) {
  const created = document.createElement(tag);
  if (text !== null) created.textContent = text;
  created.append(...children);
  return created;
}

async function offerTypes() {
  const groups = await (await fetch('/docs/events/types.json')).json();
  for (const { kind, events } of groups) {
    const boxes = events.map(({ name, type, meaning }) => {
      const box = element('input', null);
      box.type = 'checkbox';
      box.name = 'types';
      box.value = type;
      const label = element('label', null, [box, ` ${name}`]);
      label.title = meaning;
      return label;
    });
    document.querySelector('#types').append(element('details', null, [element('summary', kind), ...boxes]));
  }
}

function start() {
  subscription?.close();
  const chosen = new FormData(choice);
  [count, reconnects, gaps] = [0, 0, 0];
  subscription = listen({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    token: session.token,
    renew: session.renew,
    types: chosen.getAll('types'),
    topic: chosen.get('topic').trim(),
    onEvent: show,
    onState: note,
  });
}

function note({ name, reason }) {
  if (name === 'reconnecting') reconnects += 1;
  if (name === 'gap') gaps += 1;
  document.body.dataset.state = name;
  state.textContent =
    { connecting: 'Connecting …', reconnecting: 'The connection broke. Reconnecting …', gap: reason }[name] ?? '';
  if (name === 'ended') state.textContent = `Ended: ${reason}`;
  if (name === 'live') showCount();
}

function showCount() {
  const back = reconnects === 0 ? '' : `, reconnected ${reconnects} ${reconnects === 1 ? 'time' : 'times'}`;
  const missed = gaps === 0 ? 'nothing missed' : `${gaps} ${gaps === 1 ? 'gap' : 'gaps'}: reload the data`;
  state.textContent = `Live: ${count} ${count === 1 ? 'event' : 'events'}${back}, ${missed}.`;
}

function show({ cursor, id, type, path, actorId, sendTime, ...content }) {
  count += 1;
  showCount();
  const shown = element('li', null, [
    element('strong', type),
    ` ${new Date(sendTime).toLocaleTimeString()} by ${actorId ?? 'unknown'} `,
    element('code', path),
    element('pre', JSON.stringify(content, null, 2)),
  ]);
  shown.dataset.id = id;
  shown.title = cursor;
  list.prepend(shown);
  while (list.childElementCount > MAX_SHOWN) list.lastElementChild.remove();
}

signIn.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    const opened = await openSession(Object.fromEntries(new FormData(signIn)));
    session?.close();
    session = opened;
    list.replaceChildren();
    start();
  } catch (error) {
    note({ name: 'ended', reason: error.message });
  }
});
choice.addEventListener('change', () => session && start());
choice.addEventListener('submit', (event) => event.preventDefault());
await offerTypes();
document.body.dataset.state = 'ready';
