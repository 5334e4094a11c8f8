import { afterAll, beforeAll, test } from 'vitest';
import type { Configuration } from '../../src/config/configuration.ts';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

const open = async (keys: object, more: object = {}) => {
  const configuration = { keys: keys as Configuration['keys'] };
  const skydeck = await openSkydeck({
    demo,
    place: { area: 'servers' },
    columns: 120,
    rows: 40,
    configuration,
    ...more,
  });
  await skydeck.waitFor('api-1');
  return skydeck;
};

test('vim: l opens and h goes back, ctrl-d turns a page, i edits, y copies', async () => {
  const skydeck = await open({ preset: 'vim' });
  await skydeck.press('j');
  const second = skydeck.cursorLine();
  await skydeck.press('ctrl-d');
  await skydeck.waitFor(() => skydeck.cursorLine() !== second);
  await skydeck.press('g', 'l');
  await skydeck.waitFor('Servers › api-1');
  await skydeck.press('h');
  await skydeck.waitFor(/› Servers {2}/);
  await skydeck.press('i');
  await skydeck.waitFor('── Edit');
  await skydeck.press('esc', 'y');
  await skydeck.waitFor('── Copy');
  await skydeck.press('esc');
  await skydeck.waitFor(/enter open {2}o new {2}i edit/);
});

test('k9s: d opens instead of deleting, D deletes, and ctrl-r reads again', async () => {
  const skydeck = await open({ preset: 'k9s' });
  await skydeck.press('d');
  await skydeck.waitFor('Servers › api-1');
  await skydeck.press('esc', 'D');
  await skydeck.waitFor('── Delete');
  await skydeck.press('esc', 'O');
  await skydeck.waitFor('── Sort');
  await skydeck.press('esc', 'ctrl-r');
  await skydeck.waitFor('Reading again');
});

test('lazygit: x opens the actions, v marks a range, ] changes the tab, { goes back', async () => {
  const skydeck = await open({ preset: 'lazygit' });
  await skydeck.press('space', 'j', 'j', 'v');
  await skydeck.waitFor('4 marked');
  await skydeck.press('x');
  await skydeck.waitFor('── Actions on 4 servers');
  await skydeck.press('esc', 'esc', 'enter', ']');
  await skydeck.waitFor(/Overview.*Graphs/);
  await skydeck.press('{');
  await skydeck.waitFor(/› Servers {2}/);
});

test('own keys are in the footer, the help, the palette and the sentences; those taken away mean nothing', async () => {
  const keys = {
    list: { create: '+', sort: '', remove: 'D' },
    everywhere: { quit: ['Q', 'ctrl-c'], help: ['?', 'H'] },
  };
  const skydeck = await open(keys);
  await skydeck.waitFor(/\+ new/);
  await skydeck.press('s');
  await skydeck.waitFor('"s" does nothing here; ? shows the keys.');
  await skydeck.press('H');
  await skydeck.waitFor('── Keys');
  await skydeck.type('delete');
  await skydeck.waitFor(/ D +delete/);
  await skydeck.press('ctrl-u', 'esc', ':');
  await skydeck.waitFor('── Go to');
  await skydeck.type('delete');
  await skydeck.waitFor(/Delete api-1.* D/);
  await skydeck.press('ctrl-u', 'esc', 'esc');
  await skydeck.waitFor('› Home');
  await skydeck.press('esc');
  await skydeck.waitFor('This is Home; Q quits.');
  await skydeck.press('Q');
  await skydeck.quit;
});

test('read-only the keys of changes open their forms for a plan, where they are others too', async () => {
  const skydeck = await open({ preset: 'vim' }, { readOnly: true });
  await skydeck.press('o');
  await skydeck.waitFor('── New server');
});

test('a question names the keys that answer it, and offers none that was taken away', async () => {
  const skydeck = await open({
    confirm: { agree: 'ctrl-g', cancel: ['ctrl-k', 'esc'], plan: '' },
    request: { close: 'ctrl-p' },
  });
  await skydeck.press('a');
  await skydeck.waitFor('── Actions');
  await skydeck.type('shut down');
  await skydeck.press('enter');
  await skydeck.waitFor(/^ ctrl-g shut down {2}ctrl-p preview {2}ctrl-k cancel$/m);
  await skydeck.press('enter');
  await skydeck.waitFor('Press ctrl-g to confirm "Shut down", or ctrl-k');
  await skydeck.press('ctrl-p', 'ctrl-s');
  await skydeck.waitFor('Nothing is sent from here; ctrl-p goes back, ctrl-g confirms.');
  await skydeck.press('ctrl-p', 'ctrl-k', 'd');
  await skydeck.waitFor(/to confirm\.[\s\S]*^ ctrl-p preview {2}ctrl-k cancel$/m);
  await skydeck.press('ctrl-g');
  await skydeck.waitFor(/Type api-1 first\./);
  await skydeck.press('esc');
});

test('function keys, keys with alt and letters beyond ASCII do what they are set to', async () => {
  const skydeck = await open({
    list: { sort: 'ß', json: 'alt-j' },
    everywhere: { help: 'f1' },
    confirm: { agree: 'alt-y' },
  });
  await skydeck.waitFor(/ß sort/);
  await skydeck.press('ß');
  await skydeck.waitFor('── Sort');
  await skydeck.press('esc', 'f1');
  await skydeck.waitFor('── Keys');
  await skydeck.press('esc', 'd');
  await skydeck.waitFor(/── Delete/);
  await skydeck.press('alt-y');
  await skydeck.waitFor('Type api-1 first.');
  await skydeck.press('esc', 'alt-j');
  await skydeck.waitFor('"label": "api-1"');
});
