import { resourceNamed } from '../../../src/resources/index.ts';
import type { Action, Params, Row } from '../../../src/resources/resource.ts';
import { editZone } from '../../../src/screens/zone.ts';
import type { Target } from '../../../src/store/changes/change.ts';
import type { PlanStep } from '../../../src/store/plans/plan.ts';
import { planReplacement } from '../../../src/store/plans/replaceTarget.ts';
import { drawn } from '../../draw.ts';
import type { Item } from '../cloud/items.ts';
import type { Desk } from '../desk.ts';
import type { Wish } from '../wishes.ts';
import { type Doing, remember, thinking } from './doing.ts';
import { enterChosen, inOrder, wishFor } from './entering.ts';
import { readList } from './hands.ts';
import { entered, type Thought } from './ideas.ts';

const records = resourceNamed('records');
const actionOf = (name: 'create' | 'edit' | 'remove') => records[name] as Action;

/** Lists the domains, as the user sees them. */
async function domainsOf({ stores }: Desk): Promise<readonly Row[]> {
  await readList(stores, 'domains', {});
  return inOrder(stores.view.rows('domains'));
}

/** Lists the records of all domains, as the user sees them. */
async function allRecords(desk: Desk): Promise<readonly Target[]> {
  const all: Target[] = [];
  for (const { id } of await domainsOf(desk)) {
    const domainId = String(id);
    await readList(desk.stores, 'records', { domainId });
    for (const row of inOrder(desk.stores.view.rows('records', { domainId })))
      all.push({ row, params: { domainId, recordId: String(row.id) } });
  }
  return all;
}

const itemOf = ({ world, seat }: Doing, { recordId }: Params): Item | undefined =>
  world.cloudOf(seat).items.all.find(({ id, kind }) => kind === 'records' && String(id) === recordId);

/** Notes the wishes that stand in the steps of the plan that are new. */
function noteSteps(
  doing: Doing,
  { stores }: Desk,
  before: ReadonlySet<string | undefined>,
  wishFor: (step: PlanStep) => Wish | undefined,
): readonly PlanStep[] {
  const added = stores.plans.getState().steps.filter(({ uid }) => !before.has(uid) && !doing.world.planned.has(uid));
  for (const step of added) {
    const wish = wishFor(step);
    if (!wish) continue;
    doing.world.wishes.push(wish);
    remember(doing, step, wish);
  }
  return added;
}

const uidsIn = ({ stores }: Desk): ReadonlySet<string | undefined> =>
  new Set(stores.plans.getState().steps.map(({ uid }) => uid));

/** A change of one line of a zone file. */
interface LineChange {
  action: 'create' | 'edit' | 'remove';
  /** The lines that take its place. */
  lines: readonly string[];
  target?: Target;
  thought: Thought;
}

/** Opens a domain as a zone file, changes some of its lines, and puts what follows into the plan. */
export async function editText(doing: Doing, desk: Desk): Promise<void> {
  const { world, random, deed } = doing;
  const { stores, process } = desk;
  const domains = await domainsOf(desk);
  if (domains.length === 0) return;
  const domain = drawn(random, domains);
  const domainId = String(domain.id);
  const before = uidsIn(desk);
  const wished: (LineChange & { wish: Wish })[] = [];
  const edit = async (text: string): Promise<string> => {
    await thinking(doing, desk)();
    const rows = stores.view.rows('records', { domainId });
    const changes = new Map<number, LineChange>();
    const lines = text.split('\n');
    for (const [nth, line] of lines.entries()) {
      const [, name, ttl, address] = /^(\S+)\s+(\d+)?\s*IN\s+A\s+(\S+)$/.exec(line) ?? [];
      const own = rows.filter((row) => row.name === name && row.target === address && row.type === 'A');
      const alike = rows.filter((row) => row.name === name);
      // Of two records alike in a zone a text does not tell which is meant.
      if (!name || own.length !== 1 || alike.length !== 1 || random() < 0.5) continue;
      const [row] = own as [Row];
      const target = { row, params: { domainId, recordId: String(row.id) } };
      changes.set(nth, lineChange(random, { name, ttl, address: String(address) }, target));
    }
    const name = `deed${deed.number}`;
    const host = `192.0.2.${10 + Math.floor(random() * 9)}`;
    if (random() < 0.5)
      changes.set(lines.length - 1, {
        action: 'create',
        lines: [`${name} 300 IN A ${host}`, ''],
        thought: entered({ type: 'A', name, target: host, ttl_sec: 300 }),
      });
    const edited = lines.flatMap((line, nth) => changes.get(nth)?.lines ?? [line]).join('\n');
    for (const change of changes.values()) {
      const { action, target, thought } = change;
      const of = { resource: records, action: actionOf(action), params: { domainId }, thought };
      wished.push({ ...change, wish: wishFor(doing, desk, of, target, 'plan') });
    }
    world.say(
      process.name,
      `edits the zone of ${domain.domain}: ${[...changes.values()].map(({ action, lines, target }) => `${action} ${target?.params.recordId ?? ''} ${lines.join('')}`).join('; ')}`,
    );
    return edited;
  };
  await editZone({ stores, edit } as never, domain as never);
  stores.navigation.keepDraft(`zone ${domainId}`, undefined);
  const added = noteSteps(doing, desk, before, ({ record: { action, params, body } }) => {
    const found = wished.find(({ wish, action: wanted, target }) => {
      if (world.wishes.includes(wish) || action !== actionOf(wanted).name) return false;
      return target ? target.params.recordId === params.recordId : (body as Row)?.name === `deed${deed.number}`;
    });
    return found?.wish;
  });
  world.say(process.name, `has ${added.length} steps more in the plan. ${desk.said.at(-1)}`);
}

/** One of the ways in which a line is changed. */
function lineChange(
  random: () => number,
  { name, ttl, address }: { name: string; ttl: string | undefined; address: string },
  target: Target,
): LineChange {
  const other = `198.51.100.${1 + Math.floor(random() * 200)}`;
  const line = (seconds: string | undefined, to: string) => [`${name} ${seconds ?? ''} IN A ${to}`];
  return drawn<() => LineChange>(random, [
    () => ({ action: 'remove', lines: [], target, thought: { entries: {} } }),
    () => ({ action: 'edit', lines: line(ttl, other), target, thought: entered({ target: other }) }),
    () => ({ action: 'edit', lines: line('7200', address), target, thought: entered({ ttl_sec: 7200 }) }),
  ])();
}

/** Puts one address in place of another in all zones, as a plan. */
export async function replace(doing: Doing, desk: Desk): Promise<void> {
  const { world, random, seat } = doing;
  const { stores, process } = desk;
  const all = await allRecords(desk);
  if (all.length === 0) return;
  const from = String(drawn(random, all).row.target);
  const target = `203.0.113.${1 + Math.floor(random() * 200)}`;
  await thinking(doing, desk)();
  // Lists are read again where they are not fresh.
  const begun = world.clock.now - 60_000;
  const [before, said] = [uidsIn(desk), desk.said.length];
  await planReplacement(stores, from, target);
  const says = desk.said.slice(said).join(' ');
  const added = noteSteps(doing, desk, before, ({ record }) => {
    const params = record.params as Params;
    const item = itemOf(doing, params);
    const row = item?.versions.findLast((version) => version.row?.target === from)?.row;
    const of = { resource: records, action: actionOf('edit'), params, thought: entered({ target }) };
    return row && wishFor(doing, desk, of, { row, params }, 'plan');
  });
  world.say(process.name, `replaces ${from} by ${target}: ${added.length} steps. ${says}`);
  if (/not read|not be read/i.test(says) || (added.length === 0 && !says.includes('No record has'))) return;
  const planned = new Set(added.map(({ record }) => String(record.params.recordId)));
  const left = world
    .cloudOf(seat)
    .items.of('records', seat.login.account.name)
    .filter(({ id, versions }) => {
      const since = versions.filter(({ at }, nth) => at > begun || nth === versions.length - 1);
      const first = versions.findLast(({ at }) => at <= begun);
      return !planned.has(String(id)) && [first, ...since].every((one) => one?.row?.target === from);
    });
  for (const { id } of left)
    world.leftOut.push({
      rule: 'left out',
      at: world.clock.now,
      says: `${process.name} replaced ${from} by ${target} in all zones, and left record ${id} out.`,
    });
}

/** Changes one field of records of several zones, or deletes them. */
export async function changeAcross(doing: Doing, desk: Desk): Promise<void> {
  const { random } = doing;
  const all = await allRecords(desk);
  if (all.length < 2) return;
  const count = 2 + Math.floor(random() * 3);
  const chosen = new Set(Array.from({ length: count }, () => drawn(random, all)));
  const [action, thought] = drawn<() => readonly ['edit' | 'remove', Thought]>(random, [
    () => ['edit', entered({ target: `198.51.100.${1 + Math.floor(random() * 200)}` })],
    () => ['edit', entered({ ttl_sec: drawn(random, [300, 3600, 7200]) })],
    () => ['remove', { entries: {} }],
  ])();
  const targets = [...chosen].map(({ params }) => params);
  const of = { resource: records, action: actionOf(action), targets, params: {}, thought, form: {} };
  await enterChosen(doing, desk, { ...of, wishes: new Map() }, random() < 0.5 ? 'send' : 'plan');
}
