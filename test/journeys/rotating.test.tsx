import { expect, test } from 'vitest';
import { accountAudit, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { startHeldDemo } from './heldDemo.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions } from './skydeck.ts';

const ids = { 'deploy-assets': 48_100, 'nightly-dumps': 48_113, analytics: 48_126 } as const;

/** Marks keys and opens the question that makes new ones in their place. */
async function openQuestion(
  options: SkydeckOptions = {},
  rows: readonly string[] = ['deploy-assets', 'nightly-dumps'],
) {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, ...options });
  await mark(skydeck, rows);
  await skydeck.press('a', 'R');
  return skydeck;
}

async function mark(skydeck: Skydeck, rows: readonly string[]): Promise<void> {
  for (const row of rows) {
    await skydeck.waitFor(row);
    await skydeck.pointAt(row);
    await skydeck.press('space');
  }
}

/** Agrees to the question, and waits for the page of the secrets. */
async function agree(skydeck: Skydeck, of: string): Promise<void> {
  await skydeck.waitFor(`── Rotate ${of}`);
  await skydeck.waitFor('Makes a new key with the same rights for each.');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('shown now and never again');
}

const sentBy = ({ changes }: Skydeck, wanted: string) =>
  changes.flatMap(({ method, path }) => (method === wanted ? [path] : []));

const keyPath = (id: number) => `/object-storage/keys/${id}`;

/** A secret key, and none in the frame of an earlier moment. */
const secretIn = (text: string) => /\b[A-Za-z0-9]{40}\b/.exec(text)?.[0];

test('two keys get new ones with the same rights, whose secrets are on one page, and the old ones go by a typed phrase', async () => {
  const skydeck = await openQuestion();
  await agree(skydeck, '2 of 2 object storage keys');
  const sent = skydeck.changes.map(({ method, path, body }) => ({ method, path, body }));
  const grants = (...of: string[]) =>
    of.map((place) => {
      const [cluster, bucket_name] = place.split('/');
      return { cluster, bucket_name, permissions: 'read_write' };
    });
  expect(sent).toEqual([
    {
      ...{ method: 'POST', path: '/object-storage/keys' },
      body: { label: 'deploy-assets', bucket_access: grants('eu-central-1/assets', 'us-east-1/assets') },
    },
    {
      ...{ method: 'POST', path: '/object-storage/keys' },
      body: { label: 'nightly-dumps', bucket_access: grants('us-east-1/db-backups') },
    },
  ]);

  // No secret is on the screen until it is asked for.
  await skydeck.waitFor(/❯ +deploy-assets +[A-Z0-9]{20} +•{8}/);
  expect(secretIn(skydeck.text())).toBeUndefined();
  await skydeck.press('enter');
  await expect.poll(() => secretIn(skydeck.text())).toBeDefined();
  const secret = secretIn(skydeck.text());
  await skydeck.press('enter');
  await expect.poll(() => secretIn(skydeck.text())).toBeUndefined();
  await skydeck.press('c');
  await skydeck.waitFor('Secret key of deploy-assets was sent to the clipboard');
  await skydeck.waitFor(/deploy-assets +[A-Z0-9]{20} +kept/);
  expect(skydeck.copied).toEqual([secret]);

  await skydeck.press('esc');
  await skydeck.waitFor('1 of 2 were neither copied nor saved, and nobody can show them again.');
  await skydeck.press('*', 'c');
  await skydeck.waitFor('A line of each that is marked was sent to the clipboard');
  expect(skydeck.copied[1]?.split('\n').map((line) => line.split('\t'))).toEqual([
    ['deploy-assets', expect.stringMatching(/^[A-Z0-9]{20}$/), secret],
    ['nightly-dumps', expect.stringMatching(/^[A-Z0-9]{20}$/), expect.stringMatching(/^[A-Za-z0-9]{40}$/)],
  ]);

  await skydeck.press('esc');
  await skydeck.waitFor('── Revoke 2 of 2 object storage keys');
  await skydeck.waitFor('These are the old ones: the secrets of the new ones were shown, copied or saved.');
  await skydeck.press('enter');
  await skydeck.waitFor('Type 2 object storage keys first.');
  expect(sentBy(skydeck, 'DELETE')).toEqual([]);
  await skydeck.type('2 object storage keys');
  await skydeck.press('enter');
  await skydeck.waitFor('Revoke: all 2 done');
  expect(sentBy(skydeck, 'DELETE').toSorted()).toEqual([keyPath(48_100), keyPath(48_113)]);
});

test('of what was left unseen the old key stays, and the new one is asked about', async () => {
  const skydeck = await openQuestion();
  await agree(skydeck, '2 of 2 object storage keys');
  // One that was hidden again has been seen.
  await skydeck.press('down', 'enter', 'enter', 'esc');
  await skydeck.waitFor('2 of 2 were neither copied nor saved');
  await skydeck.press('esc');
  await skydeck.waitFor('── Revoke?');
  await skydeck.waitFor('This is the old one: the secret of the new one was shown, copied or saved.');
  await skydeck.type('nightly-dumps');
  await skydeck.press('enter');
  await skydeck.waitFor('This one is new: nobody has seen its secret here, and the API does not tell who made it.');
  await skydeck.type('deploy-assets');
  await skydeck.press('enter');
  await expect.poll(() => sentBy(skydeck, 'DELETE').length, { timeout: 20_000 }).toBe(2);
  const [old, fresh] = sentBy(skydeck, 'DELETE');
  expect(old).toBe(keyPath(ids['nightly-dumps']));
  expect(fresh).not.toBe(keyPath(ids['deploy-assets']));
});

test('an answer lost after it was done loses the secret: the old key stays, and the new one is asked about', async () => {
  let posts = 0;
  const api = await startOtherApi(({ method, path }) => {
    if (method === 'POST' && path === '/object-storage/keys' && ++posts === 2) throw new Error('lost');
    return undefined;
  });
  const skydeck = await openQuestion({ demo: api }, Object.keys(ids));
  await agree(skydeck, '3 of 3 object storage keys');
  await skydeck.waitFor(/2 of 3 done, 1 unknown/);
  await skydeck.waitFor(/1[\s│]+secret[\s│]+did[\s│]+not[\s│]+come[\s│]+with[\s│]+its[\s│]+answer\./);
  await skydeck.press('*', 'c', 'esc');
  await skydeck.waitFor('── Revoke 2 of 2 object storage keys');
  await skydeck.press('esc');
  await skydeck.waitFor('This one is new: nobody has seen its secret here, and the API does not tell who made it.');
  await skydeck.waitFor('Revokes the key deploy-assets.');
  await skydeck.type('deploy-assets');
  await skydeck.press('enter');
  await skydeck.waitFor('Revoke: deploy-assets');
  expect(sentBy(skydeck, 'DELETE')).toHaveLength(1);
  expect(sentBy(skydeck, 'DELETE')).not.toContain(keyPath(ids['deploy-assets']));
  // The key whose new one was lost is still marked.
  await skydeck.waitFor('marked 1');
});

test('an answer lost before it was done leaves the old key alone', async () => {
  let posts = 0;
  const api = await startOtherApi(
    () => undefined,
    ({ method }) => {
      if (method === 'POST' && ++posts === 1) throw new Error('lost');
      return posts === 2 && method === 'POST' ? refusal(400, 'No more keys') : undefined;
    },
  );
  const skydeck = await openQuestion({ demo: api }, Object.keys(ids));
  await agree(skydeck, '3 of 3 object storage keys');
  await skydeck.waitFor(/1 of 3 done, 2 failed/);
  await skydeck.press('c', 'esc');
  await skydeck.waitFor('Revokes the key nightly-dumps.');
  await skydeck.press('esc');
  await skydeck.waitFor('marked 2');
  expect(sentBy(skydeck, 'DELETE')).toEqual([]);
});

test('a single new key whose answer is lost is asked about', async () => {
  const held = await startHeldDemo();
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, demo: held });
  await skydeck.waitFor('deploy-assets');
  await skydeck.pointAt('deploy-assets');
  await skydeck.press('a', 'R');
  await skydeck.waitFor(/New object storage key[\s\S]*Read and write +\S+, /);
  await skydeck.press('ctrl-s');
  await expect.poll(() => held.held, { timeout: 20_000 }).toBe(1);
  held.lose();
  await skydeck.waitFor('This one is new: nobody has seen its secret here, and the API does not tell who made it.');
  await skydeck.press('esc');
  await skydeck.waitFor(/Its[ │\n]+secret is lost with the answer\./);
  expect(sentBy(skydeck, 'DELETE')).toEqual([]);
});

/** An API with these keys, which answers creations with this beside the row. */
const apiOfKeys = (labels: readonly string[], more: (nth: number) => object) => {
  const keys = labels.map((label, nth) => ({
    ...{ id: nth + 1, label, access_key: `OLD${nth + 1}`, limited: false, bucket_access: null },
  }));
  let made = 0;
  return startOtherApi(({ method, path, sent }) => {
    if (path !== '/object-storage/keys') return undefined;
    if (method === 'GET') return JSON.stringify({ data: keys, page: 1, pages: 1, results: keys.length });
    const row = { ...keys[0], ...JSON.parse(sent), id: 70 + made, access_key: `NEW${made}` };
    keys.push(row);
    return JSON.stringify({ ...row, ...more(made++) });
  });
};

test.each([undefined, null, '', ' '])(
  'one whose answer has %j for a secret is never followed by its old one',
  async (secret_key) => {
    const api = await apiOfKeys(['build'], () => ({ secret_key }));
    const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, demo: api });
    await skydeck.waitFor('OLD1');
    await skydeck.press('a', 'R');
    await skydeck.waitFor('── New object storage key');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('This one is new: nobody has seen its secret here');
    await skydeck.type('build');
    await skydeck.press('enter');
    await skydeck.waitFor('Revoke: build');
    expect(skydeck.text()).not.toContain('── Revoke');
    expect(sentBy(skydeck, 'DELETE')).toEqual([keyPath(70)]);
  },
);

test('of several the one whose answer has no secret is counted, and its old one stays', async () => {
  const api = await apiOfKeys(['build', 'logs'], (nth) => (nth === 0 ? {} : { secret_key: 'one-secret' }));
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, demo: api });
  await skydeck.waitFor('OLD2');
  await skydeck.press('*', 'a', 'R');
  await agree(skydeck, '2 of 2 object storage keys');
  await skydeck.waitFor(/1[\s│]+secret[\s│]+did[\s│]+not[\s│]+come[\s│]+with[\s│]+its[\s│]+answer\./);
  await skydeck.press('c', 'esc');
  await skydeck.waitFor('Revokes the key logs.');
  await skydeck.type('logs');
  await skydeck.press('enter');
  await skydeck.waitFor('Revokes the key build.');
  await skydeck.type('build');
  await skydeck.press('enter');
  await expect.poll(() => sentBy(skydeck, 'DELETE'), { timeout: 20_000 }).toEqual([keyPath(2), keyPath(70)]);
});

test('a single key that a colleague has revoked since its form was opened gets no new one', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' } });
  await skydeck.waitFor('deploy-assets');
  await skydeck.pointAt('deploy-assets');
  await skydeck.press('a', 'R');
  await skydeck.waitFor(/New object storage key[\s\S]*Read and write +\S+, /);
  await skydeck.elsewhere('DELETE', keyPath(ids['deploy-assets']));
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('There is no such key any more, so nothing was sent.');
  expect(skydeck.changes).toEqual([]);
});

test('two hundred keys are made anew one by one, and each has its line', async () => {
  const keys = Array.from({ length: 200 }, (_, nth) => ({
    ...{ id: nth + 1, label: `key-${nth + 1}`, access_key: `OLD${nth}`, limited: false, bucket_access: null },
  }));
  let underWay = 0;
  let most = 0;
  let next = 1000;
  const api = await startOtherApi(
    ({ method, path, sent }) => {
      if (path !== '/object-storage/keys') return undefined;
      if (method === 'GET') return JSON.stringify({ data: keys, page: 1, pages: 1, results: keys.length });
      underWay--;
      const row = { ...keys[0], ...JSON.parse(sent), id: next++, access_key: `NEW${next}` };
      keys.push(row);
      return JSON.stringify({ ...row, secret_key: `secret-of-${row.label}` });
    },
    ({ method }) => {
      if (method === 'POST') most = Math.max(most, ++underWay);
      return undefined;
    },
  );
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, demo: api });
  await skydeck.waitFor('key-1 ');
  await skydeck.press('*', 'a', 'R');
  await skydeck.waitFor('── Rotate 200 of 200 object storage keys');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor('shown now and never again');
  expect(most).toBe(1);
  await skydeck.press('*', 'c');
  await skydeck.waitFor('A line of each that is marked');
  const lines = skydeck.copied[0]?.split('\n') ?? [];
  expect(lines).toHaveLength(200);
  for (const line of lines) expect(line).toMatch(/^(key-\d+)\tNEW\d+\tsecret-of-\1$/);
  await skydeck.press('esc');
  await skydeck.waitFor('── Revoke 200 of 200 object storage keys');
});

test('what is stopped midway is not made, and its old key stays and is marked', async () => {
  const held = await startHeldDemo();
  const skydeck = await openQuestion({ demo: held }, Object.keys(ids));
  await skydeck.waitFor('── Rotate 3 of 3 object storage keys');
  // No plan may hold what shows a secret.
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('Its answer shows a secret once, to somebody who sees it: send it by itself.');
  await skydeck.press('end', 'enter');
  await expect.poll(() => held.held, { timeout: 20_000 }).toBe(1);
  await skydeck.press('X');
  await skydeck.waitFor(/stopping, 2 not sent/);
  held.release();
  await skydeck.waitFor('shown now and never again');
  await skydeck.press('c', 'esc');
  await skydeck.waitFor('This is the old one: the secret of the new one was shown, copied or saved.');
  await skydeck.press('esc');
  await skydeck.waitFor('marked 2');
});

/** Has two new keys made while something is typed behind the colon. */
async function openWhileSending(words: string): Promise<Skydeck> {
  const held = await startHeldDemo();
  const work = await startHeldDemo();
  const skydeck = await openSkydeck({
    ...{ columns: 120, rows: 40, place: { area: 'object-keys' }, profile: 'home' },
    ...{ demo: held, others: { work: { demo: work } } },
  });
  for (const [name, place] of [
    ['work', 'Home'],
    ['home', 'Object storage keys'],
  ]) {
    await skydeck.waitFor('? keys');
    await skydeck.press(':');
    await skydeck.waitFor('Go to');
    await skydeck.type(`profile ${name}`);
    await skydeck.waitFor(`❯ Profile ${name}`);
    await skydeck.press('enter');
    await skydeck.waitFor(`${name} › ${place}`);
  }
  await mark(skydeck, ['deploy-assets', 'nightly-dumps']);
  await skydeck.press('a', 'R');
  await skydeck.waitFor('── Rotate 2 of 2 object storage keys');
  await skydeck.press('end', 'enter');
  await expect.poll(() => held.held, { timeout: 20_000 }).toBe(1);
  await skydeck.press(':');
  await skydeck.waitFor('Go to');
  await skydeck.type(words);
  await skydeck.waitFor(new RegExp(`❯ *${words}`, 'i'));
  for (let sent = 0; sent < 2; sent++) {
    await expect.poll(() => held.held, { timeout: 20_000 }).toBe(1);
    held.release();
  }
  await skydeck.waitFor('Rotate: all 2 done');
  await skydeck.press('enter');
  return skydeck;
}

test('the page of the secrets is not lost when another place is chosen meanwhile', async () => {
  const skydeck = await openWhileSending('volumes');
  await skydeck.waitFor('› Volumes');
  await skydeck.waitFor('shown now and never again');
  await skydeck.press('c', 'esc', 'esc');
  await skydeck.waitFor('This is the old one');
});

test('it stays in its account when another one is chosen, and is told before the program ends', async () => {
  const skydeck = await openWhileSending('profile work');
  await skydeck.waitFor('work › Home');
  expect(skydeck.text()).not.toContain('never again');
  await skydeck.press('q');
  await skydeck.waitFor('Other accounts have work that is not done (secrets in home); q once more quits.');
  await skydeck.press(':');
  await skydeck.waitFor('Go to');
  await skydeck.type('profile home');
  await skydeck.waitFor(/❯ *profile home/i);
  await skydeck.press('enter');
  await skydeck.waitFor('shown now and never again');
});

test('a session that ends while the secrets are on the page has revoked nothing, and the next one takes the new keys back', async () => {
  const demo = await startHeldDemo(() => false);
  const audit = accountAudit(auditOwner('demo', 'demo'), undefined, Date.now);
  const first = await openQuestion({ demo, audit });
  await agree(first, '2 of 2 object storage keys');
  await first.close();
  expect(sentBy(first, 'DELETE')).toEqual([]);
  const second = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, demo, audit });
  await second.waitFor('nightly-dumps');
  await second.press('u');
  await second.waitFor(
    /── Take back: 2 changes[\s\S]*Revoke (deploy-assets|nightly-dumps)[\s\S]*Revoke (deploy-assets|nightly-dumps)/,
  );
  await second.press('end', 'enter');
  await second.waitFor('Type 2 changes');
  await second.type('2 changes');
  await second.press('enter');
  await expect.poll(() => sentBy(second, 'DELETE').length, { timeout: 20_000 }).toBe(2);
  for (const id of Object.values(ids)) expect(sentBy(second, 'DELETE')).not.toContain(keyPath(id));
});

test('a guard leaves keys out, or has the number typed', async () => {
  const guard = {
    for: 'object-keys',
    where: 'label:/^deploy/',
    actions: ['create'],
    deny: true,
    reason: 'Ask Ops.',
  } as const;
  const other = { for: 'object-keys', actions: ['create'], ask: 'label', reason: 'Keys are counted.' } as const;
  const skydeck = await openQuestion({ configuration: { guards: [guard, other] } }, Object.keys(ids));
  await skydeck.waitFor('── Rotate 2 of 3 object storage keys');
  await skydeck.press('tab');
  await skydeck.waitFor('deploy-assets: a new key is guarded: Ask Ops');
  await skydeck.press('end');
  await skydeck.waitFor('Type 2 object storage keys to confirm.');
  await skydeck.type('2 object storage keys');
  await skydeck.press('enter');
  await skydeck.waitFor('shown now and never again');
  expect(skydeck.changes.map(({ body }) => (body as { label: string }).label).toSorted()).toEqual([
    'analytics',
    'nightly-dumps',
  ]);
});

test.each([
  ['a read-only session', { readOnly: true }, 'read-only'],
  ['a read-only token', { token: 'readOnly' }, 'object_storage:read_write'],
] as const)('%s makes none', async (_, options, why) => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, ...options });
  await mark(skydeck, ['deploy-assets', 'nightly-dumps']);
  await skydeck.press('a');
  await skydeck.waitFor(/── Actions on 2 object storage keys|There is nothing|Read-only/);
  await skydeck.press('R');
  await skydeck.waitFor(why);
  expect(skydeck.changes).toEqual([]);
  expect(skydeck.text()).not.toContain('── Rotate 2');
});

test('a hostile label steers neither the page nor the lines that are copied', async () => {
  const label = 'a\u001b[2J\nb\tc\u202e';
  const keys = [1, 2].map((id) => ({ id, label, access_key: `OLD\n${id}`, limited: false, bucket_access: null }));
  const api = await startOtherApi(({ method, path, sent }) => {
    if (path !== '/object-storage/keys') return undefined;
    if (method === 'GET') return JSON.stringify({ data: keys, page: 1, pages: 1, results: keys.length });
    return JSON.stringify({ ...keys[0], ...JSON.parse(sent), id: 7, access_key: 'NEW\n1', secret_key: 'one-secret' });
  });
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, demo: api });
  await skydeck.waitFor('OLD 1');
  await skydeck.press('*', 'a', 'R');
  await agree(skydeck, '2 of 2 object storage keys');
  await skydeck.waitFor(/❯ +a b c⟨RLO⟩ +NEW 1 +•{8}/);
  await skydeck.press('*', 'c');
  await skydeck.waitFor('A line of each that is marked');
  expect(skydeck.copied).toEqual(['a b c⟨RLO⟩\tNEW 1\tone-secret\na b c⟨RLO⟩\tNEW 1\tone-secret']);
});

test('keys that a colleague has revoked since the list was read get no new ones', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' } });
  await mark(skydeck, Object.keys(ids));
  await skydeck.elsewhere('DELETE', keyPath(ids['deploy-assets']));
  await skydeck.press('a', 'R');
  await agree(skydeck, '3 of 3 object storage keys');
  expect(sentBy(skydeck, 'POST')).toHaveLength(2);
  await skydeck.waitFor(/2 of 3 done, 1 left out/);
  await skydeck.press('*', 'c', 'esc');
  await skydeck.waitFor('── Revoke 2 of 2 object storage keys');
});

test('a key of which it is not told what it may use gets no new one', async () => {
  const keys = [
    { limited: undefined, bucket_access: null },
    { limited: null, bucket_access: [{ cluster: 'us-east-1', bucket_name: 'assets', permissions: 'read_only' }] },
    { limited: true, bucket_access: { bucket_name: 'assets' } },
    { limited: true, bucket_access: [{ cluster: 'us-east-1', bucket_name: null, permissions: 'read_only' }] },
    { limited: true, bucket_access: [] },
  ].map((rights, id) => ({ id: id + 1, label: `key-${id + 1}`, access_key: `OLD${id}`, ...rights }));
  const api = await startOtherApi(({ method, path, sent }) => {
    if (path !== '/object-storage/keys') return undefined;
    if (method === 'GET') return JSON.stringify({ data: keys, page: 1, pages: 1, results: keys.length });
    return JSON.stringify({ ...keys[4], ...JSON.parse(sent), id: 7, access_key: 'NEW', secret_key: 'one-secret' });
  });
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, demo: api });
  await skydeck.waitFor('OLD4');
  await skydeck.press('*', 'a', 'R');
  await agree(skydeck, '1 of 5 object storage keys');
  expect(skydeck.changes.map(({ body }) => body)).toEqual([{ label: 'key-5', bucket_access: [] }]);
});

test('a revocation that failed names the old key by its access key, and the cursor stands on it', async () => {
  let deletes = 0;
  const api = await startOtherApi(
    () => undefined,
    ({ method }) => {
      if (method === 'DELETE' && ++deletes === 1) throw new Error('lost');
      return undefined;
    },
  );
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'object-keys' }, demo: api });
  await skydeck.waitFor('analytics');
  await skydeck.pointAt('analytics');
  const old = /analytics +([A-Z0-9]{20})/.exec(skydeck.text())?.[1] ?? '';
  await skydeck.press('a', 'R');
  await skydeck.waitFor('ctrl-s send');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('shown now and never again');
  await skydeck.press('c', 'esc');
  await skydeck.waitFor('Revokes the key analytics.');
  await skydeck.type('analytics');
  await skydeck.press('enter');
  await skydeck.waitFor(`Revoke: analytics (${old}): The answer was lost: analytics is still there; try again.`);
  await skydeck.waitFor(new RegExp(`❯ +analytics +${old}`));
  await skydeck.press('d');
  await skydeck.waitFor('Revokes the key analytics.');
  await skydeck.type('analytics');
  await skydeck.press('enter');
  await expect.poll(() => sentBy(skydeck, 'DELETE')).toEqual([keyPath(ids.analytics), keyPath(ids.analytics)]);
});
