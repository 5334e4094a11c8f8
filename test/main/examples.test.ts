import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connect } from '../../src/api/client.ts';
import type { Demo } from '../../src/demo/server.ts';
import { areas } from '../../src/program/areas.ts';
import { createSnapshotReader, type SnapshotReader } from '../../src/program/snapshotReader.ts';
import { resourceCalled, resourceNamed, resources } from '../../src/resources/index.ts';
import type { Rule } from '../../src/resources/problems/rule.ts';
import type { Resource } from '../../src/resources/resource.ts';
import { viewWith } from '../../src/resources/row.ts';
import { fieldNamed } from '../../src/store/filter/fields.ts';
import { parseFilter } from '../../src/store/filter/filter.ts';
import { termsOf } from '../../src/store/filter/terms.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { readCsv } from './csv.ts';
import { skydeckHere } from './here.ts';
import { environment } from './program.ts';

const root = join(import.meta.dirname, '../..');
const pages = ['README.md', 'docs/manual.md', 'docs/config.md'];

/** Said of what finds nothing, or only beside an earlier session. */
const others = new Set([
  ...['status:runing', 'status:shutting-down', 'is:new', 'is:changed', 'label:/…/'],
  // Where a secret is.
  'file:FILE',
  // Faults of the demo.
  'errors:0.2,drops:0.05',
]);

/** A filter as a page has it; without an area any list will do. */
interface Example {
  page: string;
  filter: string;
  area?: string;
}

const fieldIn = /^[!(-]*([a-z][\w.-]*)(?:!=|<=|>=|[:=<>])(?![/]{2})\S/;

/** The filters within a page: spans of code that begin with a field of some list, and those of configurations. */
function examplesIn(page: string): readonly Example[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)];
  const spans = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)]
    .map(([, span = '']) => span.replaceAll('\\|', '|'))
    .filter((span) => isField(fieldIn.exec(span)?.[1]) && !others.has(span));
  return [
    ...spans.map((filter) => ({ page, filter })),
    ...blocks.flatMap(([, language, block = '']) => (language === 'toml' ? filtersOf(page, parse(block)) : [])),
  ];
}

const isField = (name: string | undefined): boolean =>
  name !== undefined && resources.some(({ columns }) => fieldNamed(name, columns, viewOfNothing) !== undefined);

const viewOfNothing = viewWith({} as SnapshotReader['cache'], {});

/** The filters of a configuration, with the areas that they are for. */
function filtersOf(page: string, table: unknown, within = ''): readonly Example[] {
  if (table === null || typeof table !== 'object') return [];
  const { where, filter = where, for: named, area = named } = table as Record<string, unknown>;
  const own =
    typeof filter === 'string' ? [{ page, filter, area: String(area ?? (within === 'when' ? 'servers' : '')) }] : [];
  return [
    ...own,
    ...Object.entries(table).flatMap(([key, inner]) =>
      filtersOf(page, inner, Number.isNaN(Number(key)) ? key : within),
    ),
  ];
}

const examples = pages.flatMap(examplesIn);

let demo: Demo;
let reader: SnapshotReader;
beforeAll(async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 23, 18), toFake: ['Date'] });
  demo = await startQuietDemo();
  const api = connect({ baseUrl: demo.url, token: demo.tokens.full, readOnly: true });
  reader = createSnapshotReader(api, Date.now(), () => false);
  const lists = resources.filter(({ local, list }) => !local && list);
  await reader.examine(lists.map(({ name }): Rule => ({ name, of: name, severity: 'notice', find: () => undefined })));
  const servers = resourceNamed('servers');
  const rows = (await reader.list(servers)) ?? [];
  await reader.readAbout(servers, 'stats', rows);
  await reader.readAbout(servers, 'transfer', rows);
});
afterAll(async () => {
  vi.useRealTimers();
  await demo.close();
});

/** Counts the rows of a list that a filter finds. */
function foundIn(filter: string, { name, columns }: Resource): number {
  const test = parseFilter(filter, columns, reader.cache);
  return 'error' in test ? 0 : reader.cache.rows(name).filter(test.matches).length;
}

test('the pages have filters, in sentences and in configurations', () => {
  expect(examples.length).toBeGreaterThan(40);
  expect(examples.filter(({ area }) => area === 'servers').length).toBeGreaterThan(4);
  expect(examples.map(({ filter }) => filter)).toContain('!backup:none');
  expect(examples.flatMap(({ filter }) => termsOf(filter)).length).toBeGreaterThan(50);
});

describe.each(pages)('the filters of %s', (page) => {
  test.each(examples.filter((one) => one.page === page))('$filter $area', ({ filter, area }) => {
    const lists = area ? [resourceCalled(area)] : resources.filter(({ local }) => !local);
    const found = lists.map((one) => (one ? foundIn(filter, one) : 0));
    expect(Math.max(...found)).toBeGreaterThan(0);
  });
});

/** The areas of the page of snapshots, each with the columns that it is said to have. */
const snapshotAreas = [
  ...(/\n## Areas\n([\s\S]*?)\n## /.exec(readFileSync(join(root, 'docs/snapshot.md'), 'utf8'))?.[1] ?? '').matchAll(
    /^\| `([\w-]+)` \| (.*?) \|/gm,
  ),
].map(([, area = '', titles = '']) => ({ area, titles: titles.replaceAll('*', '').split(', ') }));

describe('the columns of docs/snapshot.md', () => {
  test('are of every area', () => expect(snapshotAreas.map(({ area }) => area)).toEqual(areas.map(({ name }) => name)));

  test.each(snapshotAreas)('are those of $area', async ({ area, titles }) => {
    const env = environment('/nowhere', { SKYDECK_BASE_URL: demo.url, SKYDECK_TOKEN: demo.tokens.full });
    const { code, stdout, stderr } = await skydeckHere(['snapshot', area, '--format', 'csv'], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(readCsv(stdout)[0]).toEqual(titles);
  });
});
