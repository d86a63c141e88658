/** The page of GraphiQL: signs in and out, and sends operations as the signed-in user. All content is set as text. */

import { examples } from './examples.js';
import { createFetcher } from './fetcher.js';
import { createSession, currentSession, endSession, keepSession, sampleAccounts } from './session.js';

const find = (selector) => document.querySelector(selector);
const [samples, others, signIn, signOut, state] = ['#samples', '#others', '#sign-in', '#sign-out', '#state'].map(find);
const SIGNED_OUT = 'Not signed in.';
let accounts = [];

function show(message = '', isRefused = false) {
  const session = currentSession();
  samples.hidden = session !== null || accounts.length === 0;
  others.hidden = session !== null;
  signOut.hidden = session === null;
  state.textContent = message || (session ? `Signed in as ${session.displayName} (${session.userId}).` : SIGNED_OUT);
  state.classList.toggle('refused', isRefused);
  document.body.dataset.state = session ? 'signed-in' : 'signed-out';
}

async function start(credentials) {
  try {
    show('Signing in …');
    keepSession(await createSession(credentials));
    others.open = false;
    show();
  } catch (error) {
    show(error.message, true);
  }
}

async function loadAccounts() {
  const found = await sampleAccounts();
  const options = found.map(({ userId, displayName, description }) => {
    const option = document.createElement('option');
    option.value = userId;
    option.textContent = `${displayName} (${userId})`;
    option.title = description;
    return option;
  });
  find('#sample').replaceChildren(...options);
  accounts = found;
}

samples.addEventListener('submit', async (event) => {
  event.preventDefault();
  const userId = find('#sample').value;
  // The tokens of the accounts last ten minutes, and the page may have been open for longer.
  await loadAccounts();
  const account = accounts.find((candidate) => candidate.userId === userId);
  if (account) await start(account);
  else show('The sample users are no longer offered.', true);
});
signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  const given = Object.entries(Object.fromEntries(new FormData(signIn))).map(([name, text]) => [name, text.trim()]);
  start(Object.fromEntries(given));
});
signOut.addEventListener('click', async () => {
  await endSession();
  show();
});

const loadWorker = (name) => new Worker(`/graphiql/worker-${name}.js`, { name, type: 'module' });
globalThis.MonacoEnvironment = { globalAPI: false, getWorker: (_module, name) => loadWorker(name) };

function loadGraphiql() {
  const script = document.createElement('script');
  script.src = '/graphiql/graphiql.js';
  const loaded = new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error('GraphiQL could not be loaded.'));
  });
  document.head.append(script);
  return loaded;
}

try {
  await Promise.all([loadAccounts(), loadGraphiql()]);
  globalThis.YogaGraphiQL.renderYogaGraphiQL(find('#root'), {
    title: 'Colloquy',
    fetcher: createFetcher({ onEnded: () => show('Your session has ended. Sign in again.', true) }),
    defaultTabs: examples({ isSample: accounts.length > 0 }),
    shouldPersistHeaders: false,
  });
  show();
} catch (error) {
  show(error.message, true);
}
