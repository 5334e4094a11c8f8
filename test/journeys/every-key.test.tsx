import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { keymap } from '../../src/screens/keymap.ts';
import type { Layer } from '../../src/screens/keys/layer.ts';
import { drawing, drawn, seed, someOf } from '../draw.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
let bare: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
  bare = await startQuietDemo({ servers: 0 });
});
afterAll(async () => {
  await demo.close();
  await bare.close();
});

/** Those that end the program or hand the terminal over, and the names of several keys. */
const left = new Set(['q', 'ctrl-c', 'ctrl-z', 'any', 'A-Z']);
const spelt: Readonly<Record<string, string>> = { pageup: 'pageUp', pagedown: 'pageDown' };

/** Every key that any layer knows, and some that none does. */
const keys = [
  ...new Set([
    ...Object.values<Layer>(keymap).flatMap((layer) => Object.values(layer.keys).flatMap((key) => key.keys)),
    'Q',
    '%',
    'ctrl-y',
  ]),
].flatMap((name) => (left.has(name) ? [] : [spelt[name] ?? name]));

/** The keys of a text input. */
const editing = new Set(['left', 'right', 'backspace', 'delete', 'ctrl-u']);

interface Kind {
  place?: { area: string; id?: string };
  bare?: boolean;
  /** Keys that lead there from the place. */
  open?: string;
  /** Characters are typed into it, and the keys that edit them are its own. */
  typed?: boolean;
  /** It is not there in a read-only session. */
  changes?: boolean;
  /** It is there, and nothing lies above it. */
  isThere: (text: string) => boolean;
}

/** All but the header, which tells the time. */
const bodyOf = (text: string) => text.split('\n').slice(1).join('\n');
const header = (text: string) => text.split('\n', 1)[0] ?? '';
const footer = (text: string) => text.split('\n').at(-1) ?? '';
const isOpen = (text: string) => /── \w/.test(text);
/** A place at rest shows help in its footer, or says why a key did nothing. */
const isFree = (text: string) => !isOpen(text) && (/\? keys/.test(footer(text)) || isSentence(text));
const isSentence = (text: string) => /[.…]$/.test(footer(text));
const at = (crumb: RegExp) => (text: string) => isFree(text) && crumb.test(header(text));
const server = { area: 'servers', id: '48200101' };

const kinds: Readonly<Record<string, Kind>> = {
  home: { isThere: at(/› Home/) },
  list: { place: { area: 'servers' }, isThere: at(/› Servers {2}/) },
  'an empty list': { bare: true, place: { area: 'servers' }, isThere: at(/› Servers {2}/) },
  events: { place: { area: 'events' }, isThere: at(/› Events {2}/) },
  fleet: { place: { area: 'fleet' }, isThere: at(/› Fleet {2}/) },
  accounts: { place: { area: 'accounts' }, isThere: at(/› Accounts {2}/) },
  overview: { place: server, isThere: at(/› Servers › \S+ {2}/), open: '1' },
  graphs: { place: server, isThere: at(/› Servers › \S+ {2}/), open: '2' },
  help: {
    place: { area: 'servers' },
    open: '?',
    typed: true,
    isThere: (text) => /── Keys.*\n [❯>] type to search/.test(text),
  },
  menu: {
    place: { area: 'servers' },
    open: 'a',
    typed: true,
    changes: true,
    isThere: (text) => /── Actions on [\s\S]* type to narrow/.test(text),
  },
  form: {
    place: { area: 'servers' },
    open: 'n',
    typed: true,
    changes: true,
    isThere: (text) => /── New server +1\/1\d/.test(text),
  },
};

/** The drawn keys that do nothing there. */
async function silentKeys(
  skydeck: Skydeck,
  { open, typed = false, isThere }: Kind,
  name: string,
): Promise<readonly string[]> {
  const start = skydeck.text;
  /** Closes what was opened, and goes back; where the place was left for the one above it, it is ahead. */
  const back = async () => {
    let isAbove = false;
    for (let step = 0; !isThere(start()); step++) {
      if (step === 12) throw new Error(`it does not come back:\n${start()}`);
      isAbove ||= isFree(start()) && /› Home/.test(header(start()));
      if (typed && open && kinds.list?.isThere(start())) await skydeck.press(open);
      else await skydeck.press(isAbove && isFree(start()) ? ']' : 'esc');
    }
    if (open && !typed) await skydeck.press(open);
  };
  if (open) await skydeck.press(open);
  const silent: string[] = [];
  for (const key of someOf(`keys ${name}`, keys, 6)) {
    if (typed && editing.has(key)) continue;
    // A sentence that was said already is not said again.
    if (isSentence(start()) && isFree(start())) await skydeck.press('?', '?');
    const before = bodyOf(start());
    await skydeck.press(key);
    // A sentence over what is typed into stands until it is said no more. Others answer once something was read.
    if (!(typed && isSentence(before)))
      await skydeck.waitFor((text) => bodyOf(text) !== before, { timeoutMs: 5000 }).catch(() => silent.push(key));
    await back();
  }
  return silent;
}

const sessions = [
  { columns: 60, rows: 16, readOnly: true },
  { columns: 120, rows: 40, readOnly: false },
];

describe(`no key is silent (seed ${seed})`, () => {
  test.each(Object.entries(kinds))('%s', async (name, kind) => {
    const session = drawn(
      drawing(name),
      sessions.filter(({ readOnly }) => !readOnly || !kind.changes),
    );
    const skydeck = await openSkydeck({ demo: kind.bare ? bare : demo, ...session, place: kind.place });
    await skydeck.waitFor(kind.typed ? 'api-1' : kind.isThere);
    await skydeck.calm();
    expect(await silentKeys(skydeck, kind, name), JSON.stringify(session)).toEqual([]);
    expect(skydeck.changes).toEqual([]);
  });
});
