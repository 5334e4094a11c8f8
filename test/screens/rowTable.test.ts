import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { createRowTable } from '../../src/screens/list/rowTable.ts';
import type { Event } from '../../src/store/events.ts';
import { knowing } from '../resources/known.ts';
import { eventOf } from '../store/openStores.ts';

const theme = themeNamed('mono', 'unicode', false);
const costs = resourceNamed('costs');

/** The rows of a list in this width, without the cursor. */
function linesOf(name: string, rows: readonly Row[], width: number): readonly string[] {
  const resource = resourceNamed(name);
  const table = createRowTable({ resource, columns: resource.columns, theme, cacheView: knowing() })(rows, width);
  return [table.head, ...rows.map((row) => table.line(row))].map((line) => stripVTControlCharacters(line).trimEnd());
}

test('a status that no job changes leaves its room to the text beside it', () => {
  const entity = { id: 2, type: 'server', label: 'db-primary', url: '' };
  const [, line] = linesOf('tickets', [{ id: 11480462, status: 'open', summary: 'x'.repeat(28), entity }], 60);
  expect(line).toContain(`open    11480462  ${'x'.repeat(28)}`);
});

test('a status that a job changes has room for its word and percentage', () => {
  const [head = ''] = linesOf('volumes', [{ id: 1, status: 'active', label: 'data' }], 80);
  expect(head.indexOf('LABEL') - head.indexOf('STATUS')).toBe(17);
});

test('a job moves no other column, and its percentage is whole', () => {
  const servers = resourceNamed('servers');
  const rows = [1, 2].map((id) => ({ id, status: 'running', label: `web-${id}`, ipv4: [], tags: [] }));
  const entity = { type: 'server', id: 1, label: 'web-1' };
  const job = (percent_complete: number) =>
    eventOf(9, 'server_shutdown', 'started', entity, { percent_complete }) as Event;
  const lines = [[], [job(3)], [job(100)]].map((events) => {
    const table = createRowTable({ resource: servers, columns: servers.columns, theme, cacheView: knowing() });
    const { head, line } = table(rows, 120, { events });
    return [head, ...rows.map((row) => line(row))].map((one) => stripVTControlCharacters(one));
  });
  const [still, ...going] = lines;
  expect(going.map(([head, , second]) => [head, second])).toEqual(Array(2).fill([still?.[0], still?.[2]]));
  expect(going.map(([, first]) => first)).toEqual([
    expect.stringMatching(/◐ shutting.* 3% /),
    expect.stringMatching(/◐ shutt.* 100% /),
  ]);
  const after = (line = '') => line.slice(line.indexOf('web-1'));
  expect(going.map(([, first]) => after(first))).toEqual(Array(2).fill(after(still?.[1])));
});

test.each([60, 80])('a request tells in %i columns what was asked for', (width) => {
  const row = { id: 1, method: 'GET', path: '/v9/server/instances/48200218/transfer', status: 200, ms: 2, attempt: 1 };
  expect(linesOf('requests', [row], width)[1]).toContain(width < 80 ? '/48200218/tr' : '/48200218/transfer');
});

test('the types of servers are told from each other by their labels in the narrowest list', () => {
  const label = 'Dedicated 32 GB';
  const row = { id: 'g6-dedicated-16', label, price: { monthly: 288 }, vcpus: 16, memory: 32768, disk: 655360 };
  expect(linesOf('server-types', [row], 60)[1]).toContain(label);
});

test('what would help an idle server stands whole beside its label and price at 80 columns', () => {
  const view = knowing({ servers: [{ id: 1, label: 'db-before-upgrade', status: 'offline', tags: [] }] });
  const off = costs.made?.rows(view).find(({ by, state }) => by === 'row' && state === 'off');
  const rows = [{ ...off, state: 'unattached', what: 'NodeBalancer', cost: 144, since: -60_000 }];
  const shown = costs.sections?.find(({ title }) => title === 'Idle or off')?.columns ?? [];
  const columns = costs.columns.filter(({ title }) => shown.includes(title));
  const table = createRowTable({ resource: costs, columns, theme, cacheView: view })(rows, 80);
  expect(rows.map((row) => table.cutCells(row))).toEqual([[]]);
});

/** The table of a section of costs, with the columns of that. */
function costsTable(section: string, view: ReturnType<typeof knowing>, rows: readonly Row[], width: number) {
  const shown = costs.sections?.find(({ title }) => title === section)?.columns ?? [];
  const columns = shown.flatMap((title) => costs.columns.filter((column) => column.title === title));
  return createRowTable({ resource: costs, columns, theme, cacheView: view })(rows, width);
}

test('at 120 columns the long names of one sum of costs cut what would help, and is not told, in no other', () => {
  const names = ['archive-2023', 'db-before-upgrade', 'scratch', 'photos-old'].map((name) => `${name} unattached`);
  const none = {
    id: 'tag none',
    label: '(no tag)',
    count: 9,
    why: names.join(', '),
    helps: 'Attach, or delete; Delete',
  };
  const told = { why: 'worker-5 off', helps: 'Capture an image, delete', untold: '13 volumes, 3 NodeBalancers' };
  const rows = [{ id: 'tag prod', label: 'prod', count: 46, cost: 1832.5, wasted: 24, ...told }, none];
  const table = costsTable('By tag', knowing(), rows, 120);
  expect(rows.map((row) => table.cutCells(row).map(({ title }) => title))).toEqual([[], ['Idle rows']]);
});

test('at 120 columns what is known of transfer and of what is not invoiced stands whole under its own title', () => {
  const servers = [{ id: 1, label: 'db-before-upgrade', status: 'offline', tags: [] }];
  const answers = { 'servers transfer 1': { used: 41.3 * 2 ** 40, quota: 197 * 1024, billable: 0 } };
  const view = knowing({ servers, account: [{ balance_uninvoiced: 2486.51 }] }, { answers });
  const rows = costs.made?.rows(view).filter(({ by }) => by === 'area') ?? [];
  const table = costsTable('By area', view, rows, 120);
  expect(table.head).toMatch(/WHAT IS KNOWN *$/);
  expect(table.head).not.toContain('IDLE ROWS');
  const lines = rows.map((row) => stripVTControlCharacters(table.line(row)).trimEnd());
  expect(lines.at(-2)).toMatch(/Transfer pool .* 41\.3 TiB of 197 TiB used$/);
  expect(lines.at(-1)).toMatch(/Not invoiced .* items and transfer +an estimate of \$2 486\.51$/);
  expect(rows.flatMap((row) => table.cutCells(row))).toEqual([]);
});

test('an event tells in the narrowest list what was done', () => {
  const entity = { id: 1, type: 'server', label: 'staging-web' };
  const rows = ['notification', 'finished'].map((status, id) => ({
    ...{ id, status, created: '1969-12-31T23:00:00', read: false, action: 'server_config_update', entity },
  }));
  const [, first] = linesOf('events', rows, 60);
  expect(first).toContain('notification');
  expect(first).toContain('server config update');
});
