import { describe, expect, test } from 'vitest';
import { startHeldDemo } from './heldDemo.ts';
import { openSkydeck } from './skydeck.ts';

/** The text beside the list, in the first line of the preview. */
const titleOf = (skydeck: { line(row: number): string }) => skydeck.line(1).split('│')[1]?.trim() ?? '';

/** The label of the row under the cursor. */
const labelOf = (line: string) => /^❯\s+\S\s+\S+\s+(\S+)/.exec(line)?.[1] ?? '';

async function openServers() {
  const skydeck = await openSkydeck({ columns: 160, rows: 30, place: { area: 'servers' } });
  await skydeck.waitFor((text) => text.includes('❯') && titleOf(skydeck) !== '');
  return skydeck;
}

describe('the preview beside a list', () => {
  test('follows the cursor once it rests, and names its row', async () => {
    const skydeck = await openServers();
    const first = titleOf(skydeck);
    expect(first).toBe(labelOf(skydeck.cursorLine()));
    await skydeck.press('down');
    await skydeck.waitFor(() => titleOf(skydeck) !== first && titleOf(skydeck) === labelOf(skydeck.cursorLine()));
  });

  test('shows the new row at once where the list scrolls', async () => {
    const skydeck = await openServers();
    const first = titleOf(skydeck);
    await skydeck.press('down');
    await skydeck.waitFor(() => titleOf(skydeck) !== first && titleOf(skydeck) === labelOf(skydeck.cursorLine()));
    const seen = skydeck.waitFor(() => labelOf(skydeck.cursorLine()) === 'worker-5').then(() => titleOf(skydeck));
    await skydeck.press('end');
    expect(await seen).toBe('worker-5');
  });

  test('keeps the place of a load that is not read yet', async () => {
    const demo = await startHeldDemo(({ url }) => url?.endsWith('/stats') === true);
    const skydeck = await openSkydeck({ columns: 160, rows: 40, place: { area: 'servers' }, demo });
    const facts = () => skydeck.text().replace(/^.*│/gm, '');
    const places = () =>
      facts()
        .split('\n')
        .flatMap((line, nth) => (/^(?!CPU|Network|Disk I)[A-Z]/.test(line) ? `${nth} ${line.slice(0, 20)}` : []));
    await skydeck.waitFor(() => /^…$[\s\S]*^Disk +160 GiB/m.test(facts()));
    const before = places();
    await skydeck.waitFor(() => demo.held > 0);
    demo.release(1);
    await skydeck.waitFor(() => /^CPU +\S.* [\d.]+%$[\s\S]*^Network in .* [\d.]+ .bit/m.test(facts()));
    expect(places()).toEqual(before);
  });

  test('tells what is known about the row where there is room, and asks for none of it', async () => {
    const skydeck = await openSkydeck({ columns: 200, rows: 60, place: { area: 'servers' } });
    await skydeck.waitFor(/│Related ─+\n[^\n]*│image +server\/debian12\n[\s\S]*│Events ─+\n[^\n]*│● /);
    const others = skydeck.requests.filter(({ path }) => /^\/(domains|volumes|images|nodebalancers|tags)/.test(path));
    expect(others).toEqual([]);
    expect(skydeck.requests.filter(({ path }) => path === '/account/events')).toHaveLength(1);
  });

  test('is empty while the cursor goes on, and never of a row that it does not name', async () => {
    const skydeck = await openServers();
    const first = titleOf(skydeck);
    // Seen in passing: from the first key on, as the cursor may have rested by the end of the last.
    const seen = skydeck.waitFor(() => labelOf(skydeck.cursorLine()) !== first && titleOf(skydeck) === '');
    await skydeck.press('down', 'down', 'down');
    await seen;
    await skydeck.waitFor(() => titleOf(skydeck) === labelOf(skydeck.cursorLine()));
  });

  test('gives its place to the list and takes it back by a key, and the list remembers', async () => {
    const skydeck = await openServers();
    await skydeck.byName('preview');
    await skydeck.waitFor((text) => !text.includes('│') && /TAGS.*NET IN/.test(text));
    await skydeck.goTo('volumes');
    await skydeck.press('[');
    await skydeck.waitFor((text) => text.includes('Servers  40') && !text.includes('│'));
    await skydeck.byName('preview');
    await skydeck.waitFor(() => titleOf(skydeck) === labelOf(skydeck.cursorLine()));
  });

  test('is not offered where there is no room for it', async () => {
    const skydeck = await openSkydeck({ columns: 120, rows: 30, place: { area: 'servers' } });
    await skydeck.press('?');
    await skydeck.type('preview');
    await skydeck.waitFor(/ : +show or hide the preview — The\s+preview needs 150 columns; here\s+are/);
  });
});
