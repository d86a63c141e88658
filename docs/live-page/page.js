/** The live page: signs in, lets events be picked and shows them as they come. Everything shown is set as text. */

import { listen } from './listen.js';

const KEPT = 200;
const signIn = document.querySelector('#sign-in');
const choice = document.querySelector('#choice');
const list = document.querySelector('#events');
const state = document.querySelector('#state');

let token = null;
let listening = null;
let count = 0;
let returns = 0;
let gaps = 0;

function element(tag, text, children = []) {
  const made = document.createElement(tag);
  if (text !== null) made.textContent = text;
  made.append(...children);
  return made;
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

/** A token as given, or that of a session made for the user. */
async function tokenFrom({ userId, apiKey, authToken, token }) {
  if (token) return token;
  const response = await fetch('/api/v5/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ userId, deviceId: 'live-page', ...(authToken && { authToken }) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error([answer.message, ...(answer.data?.detail ?? [])].join(' '));
  return answer.accessToken;
}

function start() {
  listening?.close();
  const chosen = new FormData(choice);
  [count, returns, gaps] = [0, 0, 0];
  listening = listen({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    token,
    types: chosen.getAll('types'),
    topic: chosen.get('topic').trim(),
    onEvent: show,
    onState: note,
  });
}

function note({ name, reason }) {
  if (name === 'away') returns += 1;
  if (name === 'gap') gaps += 1;
  document.body.dataset.state = name;
  state.textContent =
    { connecting: 'Connecting …', away: 'The connection broke. Coming back …', gap: reason }[name] ?? '';
  if (name === 'over') state.textContent = `Ended: ${reason}`;
  if (name === 'live') tellCount();
}

function tellCount() {
  const back = returns === 0 ? '' : `, came back ${returns} ${returns === 1 ? 'time' : 'times'}`;
  const missed = gaps === 0 ? 'nothing missed' : `${gaps} ${gaps === 1 ? 'gap' : 'gaps'}: read anew what you show`;
  state.textContent = `Live: ${count} ${count === 1 ? 'event' : 'events'}${back}, ${missed}.`;
}

function show({ cursor, id, type, path, actorId, sendTime, ...content }) {
  count += 1;
  tellCount();
  const shown = element('li', null, [
    element('strong', type),
    ` ${new Date(sendTime).toLocaleTimeString()} by ${actorId ?? 'nobody'} `,
    element('code', path),
    element('pre', JSON.stringify(content, null, 2)),
  ]);
  shown.dataset.id = id;
  shown.title = cursor;
  list.prepend(shown);
  while (list.childElementCount > KEPT) list.lastElementChild.remove();
}

signIn.addEventListener('submit', async (event) => {
  event.preventDefault();
  try {
    token = await tokenFrom(Object.fromEntries(new FormData(signIn)));
    list.replaceChildren();
    start();
  } catch (error) {
    note({ name: 'over', reason: error.message });
  }
});
choice.addEventListener('change', () => token && start());
choice.addEventListener('submit', (event) => event.preventDefault());
await offerTypes();
document.body.dataset.state = 'ready';
