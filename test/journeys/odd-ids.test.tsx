import { expect, test } from 'vitest';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck } from './skydeck.ts';

const big = ['9007199254740993', '9007199254740992', '18446744073709551615'];

/** A volume as the API writes it; ids are written as they are given. */
const volume = (id: string, label: string, serverId = 'null') =>
  `{"id": ${id}, "label": "${label}", "status": "active", "size": 20, "region": "us-east", "server_id": ${serverId},
    "server_label": null, "filesystem_path": "/dev/x", "tags": [], "created": "2026-01-01T00:00:00"}`;

const rows = [
  ...big.map((id, index) => volume(id, `huge-${index}`)),
  ...['null', 'null', '{"no": "id"}', '[]', '""'].map((id, index) => volume(id, `nameless-${index}`)),
];

test('rows are kept apart whatever their ids are, and those that have none cannot be acted on', async () => {
  const api = await startOtherApi(({ method, path, sent }) => {
    if (path === '/volumes') return `{"data": [${rows}], "page": 1, "pages": 1, "results": ${rows.length}}`;
    const [, id] = /^\/volumes\/(\d+)$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    return volume(id, method === 'PUT' ? String(JSON.parse(sent).label) : `huge-${big.indexOf(id)}`);
  });
  const skydeck = await openSkydeck({ demo: api, columns: 110, rows: 40, place: { area: 'volumes' } });
  await skydeck.waitFor('nameless-4');
  for (let index = 0; index < big.length; index++) expect(skydeck.text()).toContain(`huge-${index}`);
  for (let index = 0; index < 5; index++) expect(skydeck.text()).toContain(`nameless-${index}`);

  await skydeck.pointAt('nameless-1');
  await skydeck.press('d');
  await skydeck.waitFor('The API gives it no id, so no action can name it.');
  await skydeck.press('enter');
  await skydeck.waitFor(/● active {2}nameless-1/);
  await skydeck.press('esc');

  await skydeck.pointAt('huge-0');
  await skydeck.press('e');
  await skydeck.fill('Label', 'exact');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: exact');
  expect(api.seen.filter(({ method }) => method !== 'GET').map(({ path }) => path)).toEqual([`/volumes/${big[0]}`]);
  expect(api.seen.some(({ path }) => path.includes('%00'))).toBe(false);
});

test('a tag of any name is opened and deleted by its own path, or refused in one sentence', async () => {
  const names = ['a/b', 'a?b=c', 'a#b', '50%', '%2e%2e', '"a" b', 'up/../account', '..'];
  const known = (path: string) => names.find((name) => path === `/tags/${encodeURIComponent(name)}`);
  const api = await startOtherApi(
    () => undefined,
    ({ path }) => {
      if (path !== '/tags' && !path.startsWith('/tags/')) return undefined;
      const data = path === '/tags' ? names.map((label) => ({ label })) : [];
      if (path === '/tags' || known(path))
        return { status: 200, text: JSON.stringify({ data, page: 1, pages: 1, results: data.length }) };
      return refusal(404, `Not found: ${path}`);
    },
  );
  const skydeck = await openSkydeck({ demo: api, columns: 110, rows: 40, place: { area: 'tags' } });
  for (const name of names) {
    const isRefused = name.includes('..');
    await skydeck.goTo('tags');
    await skydeck.waitFor('LABEL');
    await skydeck.pointAt(`  ${name}  `);
    await skydeck.press('enter');
    await skydeck.waitFor('Tagged objects');
    await skydeck.waitFor(
      isRefused ? /was not sent: what is on the way could take "\S+" for another path/ : 'No object has this tag.',
    );
    await skydeck.press('d');
    await skydeck.waitFor('to confirm');
    await skydeck.type(name);
    await skydeck.press('enter');
    await skydeck.waitFor(`${isRefused ? '✗' : '✓'} Delete: ${name}`);
  }
  const sent = api.seen.filter(({ path }) => path.startsWith('/tags/'));
  expect(sent.every(({ path }) => known(path) !== undefined)).toBe(true);
});
