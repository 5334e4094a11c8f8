import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { examples, type Schema, schemas } from '../../scripts/snapshotSchemas.ts';
import { type Api, connect } from '../../src/api/client.ts';
import type { Demo } from '../../src/demo/server.ts';
import { areas } from '../../src/program/areas.ts';
import { snapshotBoards } from '../../src/program/commandLine/commands.ts';
import { problemRow } from '../../src/program/document.ts';
import type { Format } from '../../src/program/invocation.ts';
import type { SnapshotOptions } from '../../src/program/snapshot.ts';
import type { Row } from '../../src/resources/resource.ts';
import { csv } from '../../src/text/csv.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { anyCharacter } from '../text/anyText.ts';
import { pathOf } from './apiServer.ts';
import { readCsv } from './csv.ts';
import { mistakesIn } from './schema.ts';
import { takeSnapshot } from './takeSnapshot.ts';

const now = Date.now();
let demo: Demo;
let api: Api | undefined;
let asked: string[] = [];

const open = (token = demo.tokens.full) =>
  connect({
    baseUrl: demo.url,
    token,
    readOnly: true,
    sleep: async () => {},
    onCall: ({ method, path }) => asked.push(`${method} ${path}`),
  });

beforeAll(async () => {
  demo = await startQuietDemo({ servers: 12 });
});
afterAll(() => demo.close());
afterEach(async () => {
  await api?.close();
  demo.setFaults([]);
  asked = [];
});

const taken = (area: string, format: Format, options: SnapshotOptions = {}, width?: number) => {
  const opened = open();
  api = opened;
  return takeSnapshot(opened, { area }, format, { now, glyphs: 'unicode', width }, options);
};

const schemaOf = (area: string): Schema => Object.entries(schemas).find(([name]) => name === area)?.[1] ?? schemas.AREA;
/** The boards that ask an account. */
const boards = snapshotBoards.filter((name) => !['journal', 'audit', 'requests'].includes(name));
const everything = [...boards, ...areas.map(({ name }) => name)];

describe('every area and board', () => {
  it.each(everything)('%s is text, without escapes and as narrow as the terminal', async (area) => {
    const { text, missing } = await taken(area, 'text');
    expect(missing).toEqual([]);
    expect(text).toMatch(/\n$/);
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    await api?.close();
    const widest = (lines: string) => Math.max(...lines.split('\n').map(({ length }) => length));
    expect(widest((await taken(area, 'text', {}, 40)).text)).toBeLessThanOrEqual(widest(text));
  });

  it('keeps the sentences of problems within the terminal', async () => {
    const { text } = await taken('problems', 'text', {}, 60);
    const lines = text.split('\n').filter((line) => /^[✗!○] /.test(line));
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    expect(text).toContain('…');
  });

  it.each(everything)('%s is the JSON that is documented', async (area) => {
    const { text } = await taken(area, 'json');
    const document = JSON.parse(text);
    expect(document.area).toBe(area);
    expect(mistakesIn(document, schemaOf(area))).toEqual([]);
    expect('problems' in document).toBe(area === 'home' || area === 'accounts');
  });

  it.each(everything)('%s is CSV by RFC 4180', async (area) => {
    const { text } = await taken(area, 'csv');
    const [titles = [], ...records] = readCsv(text);
    expect(new Set(titles).size).toBe(titles.length);
    expect(records.length).toBeGreaterThan(0);
    for (const cell of records.flat()) expect(cell).not.toMatch(/^\s*([=+@\t\r]|-(?!\d))/);
  });

  it('has an example that is as it is described', () => {
    for (const [name, example] of Object.entries(examples)) expect(mistakesIn(example, schemaOf(name))).toEqual([]);
    expect(mistakesIn({ area: 'home', rows: [{ section: 'other' }] }, schemas.home)).not.toEqual([]);
  });
});

describe('the fewest requests', () => {
  const kernels = `GET ${pathOf('kernels')}`;
  const events = `GET ${pathOf('events')}`;
  /** Every path is asked for once, the one list of more than a page for each of its pages, the events also for what is under way. */
  const once = (pages: number) => {
    const others = asked.filter((call) => call !== kernels && call !== events);
    expect(others.toSorted()).toEqual([...new Set(others)].toSorted());
    expect(asked).toHaveLength(others.length + pages + 2);
  };

  it('reads of an area its list, and what its columns look at', async () => {
    await taken('volumes', 'text');
    expect(asked).toEqual([`GET ${pathOf('volumes')}`]);
    asked = [];
    await api?.close();
    await taken('tags', 'csv');
    const beside = ['servers', 'volumes', 'domains', 'nodebalancers'];
    expect(asked.toSorted()).toEqual(['tags', ...beside].map((name) => `GET ${pathOf(name)}`).toSorted());
    asked = [];
    await api?.close();
    await taken('tags', 'json');
    expect(asked).toEqual([`GET ${pathOf('tags')}`]);
  });

  it('reads of the events a page, which reaches back a day, and what is under way', async () => {
    const { text } = await taken('activity', 'json', { examine: true });
    expect(asked).toEqual([events, events]);
    expect(JSON.parse(text).rows).toHaveLength(100);
  });

  it('reads nothing twice for problems, and stays within the limits of the survey', async () => {
    const pages = Math.ceil(JSON.parse((await taken('kernels', 'json')).text).rows.length / 100);
    asked = [];
    await api?.close();
    const { problems } = await taken('problems', 'json');
    expect(problems.length).toBeGreaterThan(5);
    once(pages);
    const lists = new Set([...areas.map(({ list, view }) => `GET ${(list ?? view)?.path}`)]);
    expect(asked.filter((call) => !lists.has(call)).length).toBeLessThanOrEqual(150);
    const ofProblems = asked.length;
    asked = [];
    await api?.close();
    await taken('home', 'text');
    once(pages);
    expect(asked).toHaveLength(ofProblems);
  });

  it('reads of a long catalogue what is the account’s own, unless all is wanted', async () => {
    const own = JSON.parse((await taken('stackscripts', 'json')).text).rows;
    expect(asked).toHaveLength(1);
    await api?.close();
    const all = JSON.parse((await taken('stackscripts', 'json', { all: true })).text).rows;
    expect(all.length).toBeGreaterThan(own.length);
    const published = all.filter((script: Row) => script.is_public).length;
    expect(asked).toHaveLength(2 + Math.ceil(published / 100));
    expect(new Set(all.map(({ id }: { id: number }) => id)).size).toBe(all.length);
    expect(all).toEqual(expect.arrayContaining(own));
  });
});

describe('problems', () => {
  it('are those of the area and of what lies under it, where they are wanted', async () => {
    expect((await taken('nodebalancers', 'json')).problems).toEqual([]);
    await api?.close();
    const { problems, text } = await taken('nodebalancers', 'json', { examine: true });
    expect(new Set(problems.map(({ resource }) => resource))).toContain('nodebalancer-nodes');
    expect(JSON.parse(text).problems.map(({ id }: { id: string }) => id)).toEqual(problems.map(({ id }) => id));
    for (const { resource } of problems) expect(resource).toMatch(/^nodebalancer/);
    await api?.close();
    expect((await taken('nodebalancers', 'text', { examine: true })).text).toContain('\nProblems\nSEVERITY');
  });

  it('stand below the line of an account, where they are wanted', async () => {
    expect((await taken('accounts', 'text')).text).not.toContain('Problems');
    await api?.close();
    expect((await taken('accounts', 'text', { examine: true })).text).toMatch(/^STATE .*\n.+\n\nProblems\nSEVERITY /);
  });

  it('are none where somebody has acknowledged them', async () => {
    const { problems } = await taken('problems', 'text');
    const [first] = problems;
    await api?.close();
    const known = await taken('problems', 'csv', { isAcknowledged: ({ id }) => id === first?.id });
    expect(known.problems).toHaveLength(problems.length - 1);
    expect(known.text).not.toContain(first?.says);
  });

  it('keep the token of a transfer to themselves', () => {
    const token = '5f0c1d2e-8a4b-4c1d-9e3f-000000000000';
    const row = problemRow({
      id: `transfer-waits ${token}`,
      severity: 'warning',
      rule: 'transfer-waits',
      resource: 'entity-transfers',
      params: { token },
      label: token,
      says: `The transfer ${token} waits`,
      since: 9e15,
    });
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row).toMatchObject({ params: { token: '[redacted]' }, says: 'The transfer [redacted] waits', since: null });
  });

  it('of one row are its own', async () => {
    const { problems } = await taken('volumes', 'json', { examine: true });
    const volumeId = problems[0]?.params.volumeId ?? '';
    await api?.close();
    api = open();
    const place = { area: 'volumes', id: volumeId };
    const one = await takeSnapshot(api, place, 'json', { now, glyphs: 'unicode' }, { examine: true });
    expect(one.problems.length).toBeGreaterThan(0);
    for (const { params } of one.problems) expect(params.volumeId).toBe(volumeId);
  });
});

describe('what cannot be read', () => {
  it('is named, each part once, and the rest is printed', async () => {
    api = open(demo.tokens.restricted);
    const { text, missing } = await takeSnapshot(api, { area: 'home' }, 'json', { now, glyphs: 'unicode' });
    const document = JSON.parse(text);
    expect(mistakesIn(document, schemas.home)).toEqual([]);
    expect(document.missing).toEqual(missing);
    expect(document.rows.length).toBeGreaterThan(0);
    expect(missing.length).toBeGreaterThan(0);
    expect(new Set(missing).size).toBe(missing.length);
    for (const sentence of missing) expect(sentence).toMatch(/^[A-Z].* could (not )?be read: .*\S$/);
  });

  it.each([
    ['volumes', /^The volume could not be read: .*404/],
    ['tags', /^There is no tag "1"\.$/],
  ])('is a row of %s that does not exist', async (area, says) => {
    api = open();
    const { text, missing } = await takeSnapshot(api, { area, id: '1' }, 'text', { now, glyphs: 'unicode' });
    expect(text).toBe('');
    expect(missing).toEqual([expect.stringMatching(says)]);
  });

  it('is everything where nothing answers', async () => {
    demo.setFaults(['errors:1']);
    for (const area of boards) {
      const { text, missing } = await taken(area, 'text');
      expect(text).toBe('');
      expect(missing.length).toBeGreaterThan(0);
      await api?.close();
    }
  });
});

describe('CSV', () => {
  const columns = [{ title: 'a', keep: 1 as const, value: (row: { a: unknown }) => row.a }];

  it('is read as it was written, and no text is a formula', () => {
    const character = fc.constantFrom(...'=+-@＝＠\t\r\n ",;\x00\x1b[0m\x7f\x9b31m\u200b\u202eaZ1'.split(''));
    const hostile = fc.string({ unit: fc.oneof(character, anyCharacter) });
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1 }), (texts) => {
        const [, ...records] = readCsv(
          csv(
            columns,
            texts.map((a) => ({ a })),
          ),
        );
        expect(records).toHaveLength(texts.length);
        for (const [cell = ''] of records) {
          expect(cell).not.toMatch(/^\s*[=+\-@\t\r＝＋－＠]/);
          expect(cell).not.toMatch(/;[\s"]*[=+\-@＝＋－＠]/);
          expect(cell).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
        }
      }),
    );
  });

  it('keeps numbers', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (a) => {
        expect(Number(readCsv(csv(columns, [{ a }]))[1]?.[0])).toBe(a === 0 ? 0 : a);
      }),
    );
  });
});

it('costs tell of a NodeBalancer without ports, which are read for it', async () => {
  const { text } = await taken('costs', 'text');
  expect(text).toMatch(/no ports +staging-lb +NodeBalancer .*Add a port, or delete/);
  expect(text).not.toContain('its ports are not read');
  expect(text).toMatch(/By tag\n[\s\S]*A row with several tags is counted under each of them\.\n+By area/);
});
