import { pathOf } from '../../../src/api/address.ts';
import { paramsOf } from '../../../src/resources/identity.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import { usersOf } from '../../../src/store/history/causes.ts';
import { historyOf } from '../../../src/store/history/history.ts';
import { drawn } from '../../draw.ts';
import type { Desk } from '../desk.ts';
import type { Doing } from './doing.ts';
import { readList } from './hands.ts';

/** Looks at the History of a row. */
export async function look({ world, random }: Doing, { stores, process, login }: Desk): Promise<void> {
  const resource = resourceNamed(drawn(random, ['volumes', 'volumes', 'servers', 'domains', 'nodebalancers']));
  await readList(stores, resource.name, {});
  await readList(stores, 'events', {});
  stores.audit.load();
  const rows = stores.view.rows(resource.name);
  const row = rows[Math.floor(random() ** 2 * rows.length)];
  if (!row || !resource.view) return;
  // The log is read in its own time.
  await new Promise<void>((resolve) => void world.clock.after(500, resolve, { process, deed: -1 }));
  const params = paramsOf(resource, row);
  const [events, audit, now] = [stores.view.rows('events'), stores.view.rows('audit'), stores.now()];
  const clock = stores.api.time();
  const ahead = clock ? Math.round(((clock.from + clock.to) / 2 - now) / 1000) * 1000 : 0;
  const users = usersOf(audit, events, ahead);
  const seen = stores.seenChanges.of(resource, params);
  const entries = historyOf({ resource, params, events, audit, seen, now, ahead, users });
  const path = pathOf(resource.view, params).split('/').slice(2).join('/');
  world.histories.push({ at: world.clock.now, process: process.name, login, path, entries });
  world.say(process.name, `looks at the history of ${resource.label(row)}: ${entries.length} entries`);
}
