import { expect, onTestFinished, test } from 'vitest';
import { accountAudit, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startSlowDemo } from './skydeck.ts';

/** Detaches volumes, of which the jobs go on until time passes. */
async function openDetaching(options: SkydeckOptions = {}, marks: readonly string[] = []) {
  const demo = await startSlowDemo({ pace: 0.05 });
  onTestFinished(() => demo.close());
  const skydeck = await openSkydeck({ columns: 140, rows: 40, place: { area: 'volumes' }, demo, ...options });
  await skydeck.waitFor('api-1-uploads');
  await skydeck.pointAt('api-1-uploads');
  await skydeck.press(...marks, 'a', 'X');
  await skydeck.waitFor('── Detach');
  await skydeck.press(...(marks.length > 0 ? ['end'] : []), 'enter');
  await skydeck.waitFor(marks.length > 0 ? 'Detach: all 2 begun' : 'Detach: api-1-uploads, begun; u takes it back');
  return { demo, skydeck };
}

const refused = /is being detached; wait until that has\s+ended\.\s+The API cannot stop it;\s+u\s+again\s+waits\./;

/** Asks twice to take it back, which waits. */
async function askTwice(skydeck: Skydeck): Promise<void> {
  await skydeck.waitFor('detaching');
  await skydeck.press('u');
  await skydeck.waitFor(refused);
  await skydeck.press('u');
  await skydeck.waitFor('Waits until what is under way with api-1-uploads has ended …');
}

test('a volume that is being detached is attached again by u once that has ended, and X says that nothing stops it', async () => {
  const { demo, skydeck } = await openDetaching();
  await skydeck.press('X');
  await skydeck.waitFor('The API cannot stop what has begun; u takes back what was sent from here, once it has ended.');
  await askTwice(skydeck);
  expect(skydeck.changes).toHaveLength(1);
  demo.pass(10);
  await skydeck.waitFor(/── Take back: Attach[\s\S]*Server \* +✓? *api-1/);
  expect(skydeck.changes).toHaveLength(1);
  await skydeck.press('ctrl-s');
  await expect
    .poll(() => skydeck.changes.map(({ path }) => path))
    .toEqual(['/volumes/610029/detach', '/volumes/610029/attach']);
});

test('who leaves the waiting goes on to what was before it', async () => {
  const { skydeck } = await openDetaching();
  await askTwice(skydeck);
  await skydeck.press('esc');
  await skydeck.waitFor(/what has begun has not ended; u again\s+goes on to what was before it\./);
  await skydeck.press('u');
  await skydeck.waitFor('No change from here is left to take back.');
  expect(skydeck.changes).toHaveLength(1);
});

test('the next session waits for it as well', async () => {
  const audit = accountAudit(auditOwner('demo', 'demo'), undefined, Date.now);
  const { demo, skydeck } = await openDetaching({ audit });
  await skydeck.close();
  const next = await openSkydeck({ columns: 140, rows: 40, place: { area: 'volumes' }, demo, audit });
  await askTwice(next);
  demo.pass(10);
  await next.waitFor(/── Take back: Attach[\s\S]*Server \* +✓? *api-1/);
  expect(next.changes).toEqual([]);
});

test('of several the question says of each that it is waited for, and takes them back once they have ended', async () => {
  const { demo, skydeck } = await openDetaching({}, ['space', 'space']);
  await skydeck.press('u');
  await skydeck.waitFor(
    /── Take back: Detach 2 volumes[\s\S]*is being detached; wait until that has ended[\s\S]*0 of 2 changes/,
  );
  await skydeck.press('enter');
  await skydeck.waitFor('Nothing of it can be taken back now');
  demo.pass(10);
  await skydeck.waitFor('2 of 2 changes');
  await skydeck.press('end', 'enter');
  await expect
    .poll(() => skydeck.changes.filter(({ path }) => path.endsWith('/attach')).length, { timeout: 20_000 })
    .toBe(2);
});

test.each([
  ['a read-only session', { readOnly: true }],
  ['a read-only token', { token: 'readOnly' }],
] as const)('%s is told that nothing stops a job, and takes nothing back', async (_, options) => {
  const { demo } = await openDetaching();
  const other = await openSkydeck({ columns: 140, rows: 40, place: { area: 'volumes' }, demo, ...options });
  await other.waitFor('detaching');
  await other.press('X');
  await other.waitFor('The API cannot stop what has begun');
  await other.press('u');
  await other.waitFor(/Read-only: nothing was changed from here|No change from here is left to take back/);
  expect(other.changes).toEqual([]);
});

test('what a guard refuses is not waited for, whatever goes on', async () => {
  const demo = await startSlowDemo({ pace: 0.05 });
  onTestFinished(() => demo.close());
  const guard = {
    for: 'volumes',
    where: 'label:/^locked/',
    actions: ['edit'],
    deny: true,
    reason: 'Ask Ops.',
  } as const;
  const skydeck = await openSkydeck({
    ...{ columns: 140, rows: 40, place: { area: 'volumes' }, demo },
    configuration: { guards: [guard] },
  });
  await skydeck.waitFor('api-1-uploads');
  await skydeck.pointAt('api-1-uploads');
  await skydeck.press('e');
  await skydeck.waitFor('── Edit api-1-uploads');
  await skydeck.fill('Label', 'locked-1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('Edit: locked-1');
  await skydeck.elsewhere('POST', '/volumes/610029/detach');
  await skydeck.waitFor('detaching');
  await skydeck.press('u');
  await skydeck.waitFor(/cannot be taken back now: .*guarded/);
  expect(skydeck.text()).not.toContain('again waits');
  await skydeck.press('u');
  await skydeck.waitFor(/u again\s+goes on to what was before it\./);
});
