import { expect, onTestFinished, test } from 'vitest';
import { loginState } from '../../../src/program/state/accounts.ts';
import { keptMessages, messageKeeper } from '../../../src/program/state/messages.ts';
import { openState } from '../../../src/program/state/state.ts';
import { createNotices } from '../../../src/store/notices.ts';
import { temporaryFolder } from '../../temporaryFolder.ts';

/** Sessions of one account, each with its own connection to the state. */
function account() {
  const directory = temporaryFolder('messages');
  const open = () => {
    const state = openState(directory, process.geteuid?.());
    onTestFinished(state.close);
    return state;
  };
  let time = 0;
  return {
    kept: (profile?: string) => keptMessages(directory, process.geteuid?.(), profile).map(({ text }) => text),
    session: (profile = 'work') => {
      const login = loginState(open(), { profile, address: 'https://api.example.com', fingerprint: profile });
      const keep = messageKeeper(login, profile, (text) => text.replaceAll('hunter2', '[redacted]'));
      const notices = createNotices(() => ++time, keep);
      return { say: (text: string) => notices.say('plain', text) };
    },
  };
}

test('messages outlive their session, those of two sessions in their order, each told of its profile', () => {
  const { session, kept } = account();
  const [one, other] = [session(), session('home')];
  one.say('first');
  other.say('second, hunter2');
  one.say('third');
  expect(kept()).toEqual(['third', 'second, [redacted]', 'first']);
  expect(kept('home')).toEqual(['second, [redacted]']);
  expect(kept('work')).toEqual(['third', 'first']);
});

test('a message about a row that a secret names has it not', () => {
  const directory = temporaryFolder('messages');
  const state = openState(directory, process.geteuid?.());
  onTestFinished(state.close);
  const login = loginState(state, { profile: 'work', address: 'https://api.example.com', fingerprint: 'work' });
  const about = { resource: 'entity-transfers', params: { token: '123E4567-E89B' } };
  messageKeeper(login, 'work', (text) => text)({ id: 1, at: 1, tone: 'good', text: 'Cancel: 123E4567-E89B', about });
  expect(keptMessages(directory, process.geteuid?.()).map(({ text }) => text)).toEqual(['Cancel: [redacted]']);
});

test('a message that names a transfer has no token of it, whatever else it says it is about', () => {
  const { session, kept } = account();
  session().say('Cancel the transfer: 23dbdfda-4386-44a2-8a12-c09ae377a360; u takes it back');
  expect(kept()).toEqual(['Cancel the transfer: [redacted]; u takes it back']);
});

test('of an account the last 200 are kept, also over several sessions', () => {
  const { session, kept } = account();
  for (const name of ['a', 'b', 'c']) {
    const { say } = session();
    for (let nth = 0; nth < 90; nth++) say(`${name} ${nth}`);
  }
  expect(kept()).toHaveLength(200);
  expect(kept()[0]).toBe('c 89');
  expect(kept().at(-1)).toBe('a 70');
});
