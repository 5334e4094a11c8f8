import { expect, onTestFinished, test } from 'vitest';
import { accountAudit, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startSlowDemo } from './skydeck.ts';

/** Detaches a volume, of which the job goes on until time passes. */
async function openDetaching(options: SkydeckOptions = {}) {
  const demo = await startSlowDemo({ pace: 0.05 });
  onTestFinished(() => demo.close());
  const skydeck = await openSkydeck({ columns: 140, rows: 40, place: { area: 'volumes' }, demo, ...options });
  await skydeck.waitFor('api-1-uploads');
  await skydeck.pointAt('api-1-uploads');
  await skydeck.press('a', 'X');
  await skydeck.waitFor('── Detach?');
  await skydeck.press('enter');
  await skydeck.waitFor('Detach: api-1-uploads, begun; u takes it back');
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
