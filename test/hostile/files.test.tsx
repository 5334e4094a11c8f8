import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { actionNamed, resourceNamed } from '../../src/resources/index.ts';
import type { Draft, Params } from '../../src/resources/resource.ts';
import { startAction } from '../../src/screens/actions.ts';
import { goToList } from '../../src/screens/places.ts';
import { openFiles } from '../../src/terminal/files.ts';
import { answering } from '../answering.ts';
import { drawing, seed } from '../draw.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { hostileTexts, hugeText } from './corpus.ts';
import { foreignIn } from './glass.ts';
import { openTour, type Tour, targetsOf } from './tour.tsx';

let demo: Demo;
let root: string;
const before = process.cwd();
beforeAll(async () => {
  demo = await startQuietDemo({ servers: 2 });
  root = await mkdtemp(join(tmpdir(), 'skydeck-hostile-'));
  await mkdir(join(root, 'home'));
  await mkdir(join(root, 'above', 'chosen'), { recursive: true });
  process.chdir(join(root, 'above', 'chosen'));
});
afterAll(async () => {
  process.chdir(before);
  await demo.close();
  await rm(root, { recursive: true });
});

/** Answers in place of the demo, by the path and the body that was sent; undefined leaves it to the demo. */
type Forged = (path: string, body: Record<string, unknown>) => unknown;

const contents = 'what was stored';

/** The demo, but what is forged; and a host of files, which also says why it does not take one. */
async function forge(forged: Forged, refusal?: string): Promise<{ api: Demo; files: string }> {
  const answer = answering(async (request, response) => {
    const { url = '', method = '', headers } = request;
    if (url.startsWith('/file')) {
      request.resume();
      return response.writeHead(refusal === undefined ? 200 : 403).end(refusal ?? contents);
    }
    const sent = method === 'GET' ? {} : ((await json(request)) as Record<string, unknown>);
    const told = forged(url, sent);
    const { authorization = '' } = headers;
    const body = told ?? (await (await fetch(demo.url + url, { headers: { authorization } })).json());
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { api: { ...demo, url }, files: `${url}/file` };
}

async function open(api: Demo): Promise<Tour> {
  const tour = await openTour(api, 80, 24, openFiles(join(root, 'home')));
  onTestFinished(() => tour.close());
  return tour;
}

/** Opens the form of an action that makes something, with this in it. */
const openForm = ({ stores }: Tour, resource: string, action: string, start: Draft) =>
  stores.navigation.open({ kind: 'form', resource, action, targets: [], params: {}, start });

/** Sends the open form and answers what is said of it in the end. */
async function sent({ stores, screen }: Tour): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const leave = stores.notices.subscribe(({ notices }, before) => {
    const last = notices.at(-1);
    if (last && last !== before.notices.at(-1)) resolve(last.text);
  });
  await screen.press('ctrl-s');
  return promise.finally(leave);
}

const bucket: Params = { clusterId: 'us-east-1', bucket: 'assets' };

const closeAll = ({ stores }: Tour) => {
  while (stores.navigation.getState().overlays.length > 0) stores.navigation.close();
};

/** Names with nothing in them by which a file could be called. */
const nameless = ['/', '//', '.', '..', '/..', 'a/..', 'a/../', '~', 'a/~', ' ', 'a/ ', 'a/b//'];

/** Names that lead elsewhere, hide something, or are too long. */
const names = [
  ...hostileTexts.filter((text) => text.trim() !== ''),
  ...['../../home/x', '..\\..\\x', '~/.profile', '~root/x', '/etc/hostname', '-rf', 'a/\u202egnp.exe'],
  ...['a\u0000b', 'x\ny', `${'é'.repeat(200)}.txt`],
];

test(`any object is kept in the present directory, under a name that can be seen, and asked for by its own (seed ${seed})`, {
  timeout: 60_000,
}, async () => {
  const asked: unknown[] = [];
  const random = drawing('names of objects');
  const half = <T,>(those: readonly T[]) => those.filter(() => random() < 0.5);
  const named = half(names);
  const all = [...named, ...half(nameless)];
  const rows = all.map((name) => ({ name, size: 5, etag: 'e', last_modified: '2025-01-01T00:00:00', owner: 'o' }));
  const { api, files } = await forge((path, { name }) => {
    if (path.includes('/object-list')) return { data: rows, next_marker: null, is_truncated: false };
    if (!path.endsWith('/object-url')) return undefined;
    asked.push(name);
    return { url: `${files}?signature=1`, exists: true };
  });
  const tour = await open(api);
  const { stores } = tour;
  const objects = resourceNamed('objects');
  stores.navigation.go({ screen: 'list', resource: 'objects', params: bucket });
  await tour.look('objects');
  for (const row of stores.view.rows('objects', bucket)) {
    const where = JSON.stringify(row.name).slice(0, 60);
    const action = actionNamed(objects, 'download');
    startAction(stores, { resource: objects, action, targets: targetsOf(objects, [row], bucket), params: bucket });
    await tour.screen.waitFor('─ Download ');
    const isNamed = !nameless.includes(String(row.name));
    if (isNamed) expect(await sent(tour), where).toMatch(/^Downloaded to /);
    else await tour.press('ctrl-s');
    await tour.screen.waitFor(isNamed ? 'Downloaded to' : 'File is required');
    await tour.look(where);
    const made = await readdir('.');
    expect(made, where).toHaveLength(isNamed ? 1 : 0);
    for (const name of made) {
      expect(foreignIn(name), where).toBeUndefined();
      expect((await stat(name)).mode & 0o777, where).toBe(0o600);
      expect(await readFile(name, 'utf8'), where).toBe(contents);
      await rm(name);
    }
    closeAll(tour);
  }
  openForm(tour, 'objects', 'download', { file: 'x'.repeat(300) });
  await tour.screen.waitFor('─ Download ');
  await tour.press('ctrl-s');
  await tour.screen.waitFor('cannot be created there');
  expect(tour.wrongs).toEqual([]);
  expect(asked).toEqual(named);
  expect((await readdir(root, { recursive: true })).sort()).toEqual(['above', 'above/chosen', 'home']);
});

test('a file goes to no address but one for files, and what a host says of it is shown as it may be', {
  timeout: 60_000,
}, async () => {
  const image = join(root, 'given.img.gz');
  await writeFile(image, gzipSync('an image'));
  onTestFinished(() => rm(image));
  let address: unknown;
  const { api, files } = await forge(
    (path) => (path.endsWith('/images/upload') ? { image: { id: 'private/7', label: 'x' }, upload_to: address } : {}),
    '<Error><Message>\u001b[2J\u202ereason\u0007\n\u009b31m</Message></Error>',
  );
  const tour = await open(api);
  const { navigation } = tour.stores;
  const upload = async (to: unknown): Promise<string> => {
    address = to;
    openForm(tour, 'images', 'upload', { file: image, label: 'x', region: 'us-east' });
    await tour.screen.waitFor('─ Upload an image file');
    const said = await sent(tour);
    goToList(tour.stores, resourceNamed('audit'), { section: 'Running' });
    await tour.look(`upload to ${JSON.stringify(to)}`);
    closeAll(tour);
    return said;
  };
  navigation.go({ screen: 'list', resource: 'images', params: {} });
  await tour.look('images');
  const noAddress = [
    `file://${join(root, 'home', 'stolen')}`,
    'javascript:alert(1)',
    'http://me:word@127.0.0.1:1/',
    7,
    {},
  ];
  for (const one of [...noAddress, ...hostileTexts.slice(0, 8)])
    expect(await upload(one)).toMatch(/^The API gave (no address|an address that is not a valid)/);
  expect(await upload(`${files}/%1b[2J\u202e?x=\u001b[2J`)).toContain('refuses PUT');
  expect(tour.wrongs).toEqual([]);
  expect(await readdir(join(root, 'home'))).toEqual([]);
});

test('a secret of any shape and length is shown, and of a blank one it is said that nobody has seen it', {
  timeout: 60_000,
}, async () => {
  let secret: unknown;
  const { api } = await forge((path) =>
    path.endsWith('/keys') && secret !== undefined
      ? { id: 9, label: 'x', access_key: 'access', secret_key: secret }
      : undefined,
  );
  const tour = await open(api);
  const { navigation } = tour.stores;
  navigation.go({ screen: 'list', resource: 'object-keys', params: {} });
  await tour.look('keys');
  for (const one of [...hostileTexts.filter((_text, index) => index % 3 === 0), 7, {}, [[]], hugeText]) {
    secret = one;
    const where = `secret ${JSON.stringify(one).slice(0, 40)}`;
    openForm(tour, 'object-keys', 'create', { label: 'x', reach: 'nothing' });
    await tour.screen.waitFor('─ New object storage key');
    await tour.screen.press('ctrl-s');
    const isNone = typeof one === 'string' && one.trim() === '';
    const said = isNone ? 'nobody has seen its secret here' : 'never again: copy it or save it before you leave';
    await tour.screen.waitFor(said);
    await tour.look(where);
    await tour.press('c');
    closeAll(tour);
  }
  expect(tour.wrongs).toEqual([]);
});
