import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { columnsOf, itemLine, type MenuItem, widthOfItems } from '../../src/screens/menus/itemLine.ts';
import { widthOf } from '../../src/text/cells.ts';

const theme = themeNamed('mono', 'unicode', false);
const run = () => undefined;

function linesOf(items: readonly MenuItem[], room?: number): readonly string[] {
  const columns = columnsOf(items);
  const width = room ?? widthOfItems(items, columns);
  return items.map((item) => itemLine(theme, item, { current: false, heading: '', width, columns }));
}

const asks: readonly MenuItem[] = [
  { id: '1', label: 'Resize api-1', detail: '! asks', key: 'a Z', run },
  { id: '2', label: 'Resize which server?', key: 'a Z', run },
];

test.each([undefined, 60, 40])('the keys of a menu stand below each other, with or without a detail: %s', (room) => {
  const [one, other] = linesOf(asks, room);
  expect(widthOf(one ?? '')).toBe(widthOf(other ?? ''));
});

test('a noun is whole where there is room for it, and cut where names and details would not fit', () => {
  const items = [
    { id: '1', label: 'Revoke which key?', kind: 'object storage keys', key: 'd', run },
    { id: '2', label: 'Delete api-1', kind: 'server', detail: '! type the label', key: 'd', run },
  ];
  expect(linesOf(items)[0]).toContain('object storage keys');
  expect(linesOf(items, 60)[0]).toContain('object storag…');
});

test('a label without a detail takes the room of the details', () => {
  const long = 'Import blocks of Terraform to the clipboard';
  const items = [
    { id: '1', label: 'CSV to the clipboard', detail: '810 bytes', run },
    { id: '2', label: long, detail: '', run },
  ];
  const [, line] = linesOf(items, 50);
  expect(line).toContain(long);
  expect(widthOf(line ?? '')).toBeLessThanOrEqual(50);
});

test.each([118, 74])('a clause takes no room from names and nouns: %s cells', (room) => {
  const certificate = 'Replace the certificate of which config?';
  const items = [
    { id: '1', label: certificate, kind: 'NodeBalancer configs', key: 'a T', run },
    { id: '2', label: 'Configs of which NodeBalancer?', kind: 'NodeBalancers', explains: 'a clause '.repeat(12), run },
  ];
  const [line, other] = linesOf(items, room);
  expect(line).toContain(`${certificate}  NodeBalancer configs`);
  for (const text of [line, other]) expect(widthOf(stripVTControlCharacters(text ?? ''))).toBeLessThanOrEqual(room);
});

test.each([58, 52])('what is done is not cut, however little is left of its clause; a name is: %s cells', (room) => {
  const long = 'Replace a target in the records of all domains';
  const items = [
    { id: '1', label: long, kind: 'command', detail: 'type it whole: replace OLD NEW', run },
    {
      id: '2',
      label: `${long}, or so it is called`,
      kind: 'ticket',
      detail: '11480425  open',
      isName: true as const,
      run,
    },
    { id: '3', label: 'Accounts', kind: 'area', detail: 'all profiles, a line each', run },
  ];
  const [verb = '', name = '', short = ''] = linesOf(items, room);
  expect(verb).toContain(long);
  expect(name).toContain('…');
  expect(name).toContain('11480425');
  expect(short).toContain('Accounts');
  expect(short).toMatch(/area +all/);
  for (const text of [verb, name, short]) expect(widthOf(stripVTControlCharacters(text))).toBeLessThanOrEqual(room);
});

test('a reason that has room beside its own label is not cut for the sake of a longer label', () => {
  const refusal = 'api-1-uploads is attached to api-1; detach it first';
  const items = [
    { id: '1', label: 'Attach to a server', detail: '', refusal, letter: 'A', run },
    { id: '2', label: 'Detach', detail: '! asks', letter: 'X', run },
    { id: '3', label: 'Transfer to another account (deprecated)', detail: '', letter: 'H', run },
  ];
  const [line = '', plain = ''] = linesOf(items, 78);
  expect(line).toContain(refusal);
  expect(plain.indexOf('! asks')).toBeGreaterThan(line.indexOf('api-1-uploads'));
  expect(widthOf(stripVTControlCharacters(line))).toBeLessThanOrEqual(78);
});
