import { describe, expect, test } from 'vitest';
import { themeNamed } from '../../src/components/theme.ts';
import { helpLines, helpSections, matchingSections } from '../../src/screens/help/HelpPane.tsx';
import { keymap } from '../../src/screens/keymap.ts';
import type { KnownKey } from '../../src/screens/keys/keyboard.ts';
import { widthOf } from '../../src/text/cells.ts';

const { list, everywhere, home } = keymap;
const known: readonly KnownKey[] = [
  { layer: 'list', name: 'compare', key: list.keys.compare, reason: 'Nothing is marked.' },
  { layer: 'list', name: 'edit', key: list.keys.edit },
  { layer: 'list', name: 'clear', key: list.keys.clear },
  { layer: 'list', name: 'up', key: list.keys.up },
  { layer: 'everywhere', name: 'escape', key: everywhere.keys.escape },
  { layer: 'everywhere', name: 'notCompared', key: everywhere.keys.notCompared, reason: 'v compares servers.' },
  { layer: 'everywhere', name: 'help', key: everywhere.keys.help },
];
const sections = helpSections(known, { everywhere, list, home });

describe('the keys of the help', () => {
  test('are first those of the place, then those of every place; the topmost layer that carries one out has it', () => {
    expect(sections.slice(0, 2)).toEqual([
      {
        title: 'Here',
        entries: [
          { keys: ['e'], help: 'edit', reason: undefined },
          { keys: ['esc'], help: 'clear marks, then filter', reason: undefined },
          { keys: ['v'], help: 'compare', reason: 'Nothing is marked.' },
        ],
      },
      {
        title: 'Everywhere',
        entries: [
          { keys: ['left'], help: 'back', reason: undefined },
          { keys: ['?'], help: 'keys', reason: undefined },
        ],
      },
    ]);
  });

  test('are printed once, by layer', () => {
    expect(sections.slice(2).map(({ title }) => title)).toEqual(['Move', 'Lists', 'Home']);
    expect(sections[2]?.entries).toEqual([{ keys: ['up', 'k'], help: 'up', reason: undefined }]);
    const rest = sections.slice(3).flatMap(({ entries }) => entries.map(({ help }) => help));
    expect(rest).not.toContain('up');
    expect(rest.filter((help) => help === 'page up')).toHaveLength(1);
  });

  test('what has no key is named once, though a row and the list in its tab have it', () => {
    const { list, detail } = keymap;
    const twice: readonly KnownKey[] = [
      { layer: 'list', name: 'json', key: list.keys.json },
      { layer: 'detail', name: 'json', key: detail.keys.json },
      { layer: 'detail', name: 'ticket', key: detail.keys.ticket, reason: 'None is open.' },
    ];
    expect(helpSections(twice, { list, detail })[0]?.entries).toEqual([
      { keys: [':'], help: 'JSON', reason: undefined },
      { keys: [':'], help: 'open a support ticket', reason: 'None is open.' },
    ]);
  });

  test('are found by a key, and by words of what they do or why they do nothing', () => {
    const found = (typed: string) =>
      matchingSections(sections, typed).flatMap(({ entries }) => entries.map(({ help }) => help));
    expect(found('v')).toEqual(['compare', 'compare their servers']);
    expect(found('V')).toEqual(['mark up to here, or the last ones again']);
    expect(found('MARK nothing')).toEqual(['compare']);
    expect(found('no such words')).toEqual([]);
    expect(found('')).toEqual(sections.flatMap(({ entries }) => entries.map(({ help }) => help)));
  });

  test('stand in one, two or three columns, and none is wider than the window', () => {
    const theme = themeNamed('mono', 'unicode', false);
    const at = (width: number, isFirst = false) =>
      helpLines(theme, sections, width, isFirst).map((line) => line.replace(/\x1b\[[\d;]*m/g, ''));
    expect(at(70).slice(0, 2)).toEqual([' Here', '   e                edit']);
    expect(at(100)[1]).toMatch(/^ {3}e +edit +v +compare — Nothing is marked$/);
    for (const width of [60, 100, 150, 200])
      for (const line of [...at(width), ...at(width, true)]) expect(widthOf(line)).toBeLessThanOrEqual(width);
  });

  test('are at first those of the place, with one line of those that move and the numbers of all others', () => {
    const theme = themeNamed('mono', 'unicode', false);
    const page = helpLines(theme, sections, 100, true).map((line) => line.replace(/\x1b\[[\d;]*m/g, ''));
    expect(page.join('\n')).not.toContain('Nothing is marked');
    expect(page.slice(page.indexOf(' Move'))).toEqual([
      ' Move',
      '   up k up',
      ' Elsewhere: a name shows its keys, tab shows all',
      expect.stringMatching(/^ {3}Lists \d+ {2}Home \d+$/),
    ]);
  });
});
