import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { accountAudit, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { openAuditLog } from '../../src/program/auditLog/auditLog.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

/** Opens sessions of one account, which share the files of the audit log. */
async function openDesk() {
  const directory = await mkdtemp(join(tmpdir(), 'skydeck-'));
  const demo = await startQuietDemo();
  onTestFinished(async () => {
    await demo.close();
    await rm(directory, { recursive: true });
  });
  const open = async (options: Partial<Parameters<typeof openSkydeck>[0]> = {}) => {
    const log = openAuditLog(directory);
    onTestFinished(() => log.close());
    const audit = accountAudit(auditOwner('demo', 'demo'), { log, directory }, Date.now);
    audit.source.owner.setState({ account: 'ours' });
    const size = { columns: 120, rows: 40, place: { area: 'volumes' as const } };
    const skydeck = await openSkydeck({ ...size, demo, audit, ...options });
    await skydeck.waitFor('Volumes  24');
    return skydeck;
  };
  return { open, file: join(directory, 'audit.jsonl') };
}

type Desk = Awaited<ReturnType<Awaited<ReturnType<typeof openDesk>>['open']>>;

async function rename(skydeck: Desk, from: string, to: string): Promise<void> {
  await skydeck.pointAt(from);
  await skydeck.press('e');
  await skydeck.waitFor(`── Edit ${from}`);
  await skydeck.fill('Label', to);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(`Edit: ${to}; u takes it back`);
}

/** Presses a key, and agrees to the form that it opens. */
async function agree(skydeck: Desk, key: 'u' | 'U', title: string, end: string): Promise<void> {
  await skydeck.press(key);
  await skydeck.waitFor(`── ${title}`);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(end);
}

test('what was sent is taken back one after the other and done again, also after a restart', async () => {
  const { open } = await openDesk();
  const first = await open();
  await rename(first, 'archive-2023', 'one');
  await rename(first, 'scratch', 'two');
  await rename(first, 'photos-old', 'three');
  await agree(first, 'u', 'Take back: Edit three', 'Edit: photos-old; U does it again');
  await agree(first, 'u', 'Take back: Edit two', 'Edit: scratch; U does it again');
  await agree(first, 'u', 'Take back: Edit one', 'Edit: archive-2023; U does it again');
  await first.press('u');
  await first.waitFor('No change from here is left to take back.');
  await agree(first, 'U', 'Do again: Edit archive-2023', 'Edit: one; u takes it back');
  expect(first.changes.map(({ body }) => (body as { label: string }).label)).toEqual([
    ...['one', 'two', 'three'],
    ...['photos-old', 'scratch', 'archive-2023', 'one'],
  ]);
  await first.close();

  const second = await open();
  await second.press('u');
  await second.waitFor('── Take back: Edit one');
  await second.waitFor(/This was sent \d\d:\d\d, in another session\./);
  await second.press('ctrl-s');
  await second.waitFor('Edit: archive-2023; U does it again');
  await second.press('u');
  await second.waitFor('No change from here is left to take back.');
  await second.close();

  const third = await open();
  await agree(third, 'U', 'Do again: Edit archive-2023', 'Edit: one; u takes it back');
  await agree(third, 'U', 'Do again: Edit scratch', 'Edit: two; u takes it back');
  // Something else was sent since: what was taken back before it stays so.
  await rename(third, 'photos-old', 'four');
  await third.press('U');
  await third.waitFor('Nothing that was taken back is left to do again.');
  await third.goTo('journal');
  await third.waitFor(/Sent from here 11/);
  await third.waitFor(/● done[\s\S]*○ taken back/);
});

test('another session has taken it back, and a colleague has changed what was sent before it', async () => {
  const { open } = await openDesk();
  const [first, second] = [await open(), await open({ columns: 80, rows: 24 })];
  await rename(first, 'archive-2023', 'one');
  const path = String(first.changes[0]?.path);
  await rename(first, 'scratch', 'two');
  await agree(second, 'u', 'Take back: Edit two', 'Edit: scratch; U does it again');
  await first.elsewhere('PUT', path, { label: 'theirs' });
  await first.press('u');
  await first.waitFor(/Edit \(scratch\) cannot be taken back: another session has taken it back meanwhile; u again/);
  await first.press('u');
  await first.waitFor('── Take back: Edit theirs');
  await first.waitFor('Changed elsewhere too: Label.');
  expect([first.changes.length, second.changes.length]).toEqual([2, 1]);
});

test('the journal takes back the change of any of its lines, and tells what leads nowhere', async () => {
  const { open } = await openDesk();
  const skydeck = await open({ columns: 60, rows: 16 });
  await rename(skydeck, 'archive-2023', 'one');
  for (const [tab, line] of [
    ['journal: sent', 'Edit'],
    ['running', 'Edit (archive'],
    ['messages', 'Edit: one'],
  ] as const) {
    await skydeck.goTo(tab);
    await skydeck.pointAt(line);
    await skydeck.press('u');
    await skydeck.waitFor('── Take back: Edit one');
    await skydeck.press('esc');
    await skydeck.waitFor((text) => !text.includes('── Take back'));
  }
  await skydeck.press('J');
  await skydeck.waitFor('Nothing has changed in the lists');
  await skydeck.press('u');
  await skydeck.waitFor(/Only what was sent from here can be taken back/);
  await skydeck.press('J');
  await skydeck.waitFor(/Sent from here 1/);
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit one');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: archive-2023; U does it again');
  await skydeck.waitFor(/taken back/);
  await skydeck.pointAt('taken back');
  await skydeck.press('u');
  await skydeck.waitFor('It was taken back already.');
  await skydeck.press('U');
  await skydeck.waitFor('── Do again');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: one; u takes it back');
  await skydeck.waitFor('Sent from here 3');
  await skydeck.press('end');
  await skydeck.waitFor(/❯.*done/);
  await skydeck.press('u');
  await skydeck.waitFor(/It was taken back and done again/);
});

test('two hundred lines of sessions before are there, the oldest is taken back, and read-only it is planned', async () => {
  const { open, file } = await openDesk();
  const line = (nth: number, rest: object) =>
    `${JSON.stringify({ time: new Date(Date.now() - (400 - nth) * 60_000).toISOString(), profile: 'demo', host: 'demo', account: 'ours', change: `0a0b0c0d-${nth}`, method: 'PUT', path: '/volumes/1', ...rest })}\n`;
  const probe = await open();
  const { data } = (await probe.elsewhere('GET', '/volumes')) as { data: { id: number; label: string }[] };
  await probe.close();
  const volume = data.find(({ label }) => label === 'archive-2023');
  const sent = { resource: 'volumes', action: 'edit', params: { volumeId: String(volume?.id) }, label: 'archive-2023' };
  const lines = Array.from({ length: 200 }, (_, nth) => {
    const before = { label: `old-${nth}` };
    return (
      line(nth, { ...sent, body: { label: 'archive-2023' }, before, outcome: 'pending' }) +
      line(nth, { outcome: 'done', status: 200 })
    );
  });
  await appendFile(file, lines.join(''));
  const skydeck = await open({ columns: 80, rows: 24 });
  await skydeck.press('J');
  await skydeck.waitFor(/Sent from here 200/);
  await skydeck.press('G');
  await skydeck.waitFor(/label: old-0 →/);
  await skydeck.press('u');
  await skydeck.waitFor('── Take back: Edit archive-2023');
  await skydeck.waitFor(/Label .*old-0/);
  await skydeck.close();

  const reading = await open({ readOnly: true });
  await reading.press('U');
  await reading.waitFor('Read-only: nothing was changed from here');
  await reading.press('J', 'J');
  await reading.goTo('journal: sent');
  await reading.waitFor(/Sent from here 200/);
  await reading.press('u');
  await reading.waitFor('── Take back: Edit archive-2023');
  await reading.press('ctrl-a');
  await reading.waitFor('Step 1 is in the plan');
  expect(reading.changes).toEqual([]);
});

test('a sentence in the place of rows has one colour, on its second line too', async () => {
  const skydeck = await openSkydeck({ columns: 80, rows: 24, place: { area: 'audit' } });
  await skydeck.waitFor(/Nothing was sent from here yet[^\n]*\n +\S[^\n]* listed here\./);
  const row = skydeck
    .text()
    .split('\n')
    .findIndex((line) => line.includes('Nothing was sent'));
  expect(skydeck.styleAt(row + 1, 3).fg).toBe(skydeck.styleAt(row, 3).fg);
});

test('whoever comes back to the journal sees what was sent last', async () => {
  const { open } = await openDesk();
  const skydeck = await open({ columns: 80, rows: 24 });
  await rename(skydeck, 'archive-2023', 'one');
  await rename(skydeck, 'one', 'two');
  await skydeck.goTo('journal: sent');
  await skydeck.press('down');
  await skydeck.waitFor(/❯.* Edit +archive-2023/);
  await skydeck.press('esc');
  await skydeck.waitFor('Volumes');
  await skydeck.press('J');
  await skydeck.waitFor(/❯.* Edit +one/);
});
