import { paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import { canonicalAddress, isIpv4, isIpv6 } from '../../resources/ipAddress.ts';
import { nameTypes, normalizedHost } from '../../resources/networking/dnsZones.ts';
import { type DomainRecord, isHostName } from '../../resources/networking/recordRules.ts';
import type { LoadedList } from '../../resources/resource.ts';
import { counted, listed, sentence, textIn } from '../../text/words.ts';
import { fieldRefusal } from '../changes/ownEntries.ts';
import { readListAgain } from '../changes/readAgain.ts';
import { until } from '../listeners.ts';
import { listQuery, listsBelow, queryKey } from '../queries.ts';
import type { Stores } from '../stores.ts';
import { putInPlan } from './planning.ts';

const [domains, records] = [resourceNamed('domains'), resourceNamed('records')];

/** The kinds of targets, each with its types of records and the way in which two of them are compared. */
const kinds = [
  { name: 'an IPv4 address', is: isIpv4, types: ['A'], same: canonicalAddress },
  { name: 'an IPv6 address', is: isIpv6, types: ['AAAA'], same: canonicalAddress },
  { name: 'a name', is: isHostName, types: nameTypes, same: normalizedHost },
];

const kindOf = (target: string) => kinds.find(({ is }) => is(target));

/** Why no record can get one target for the other, as a clause; undefined where they are of one kind. */
export function whyNotReplaced(from: string, to: string): string | undefined {
  const [one, other] = [kindOf(from), kindOf(to)];
  const odd = one ? to : from;
  if (!one || !other) return `${odd} is neither an address nor a name`;
  if (one !== other)
    return `${from} is ${one.name}, and ${to} ${other.name}: records of one type have one kind of target`;
  return one.same(from) === one.same(to) ? 'both are the same' : undefined;
}

/** The records of all domains, read at the pace of single rows where they are not fresh; what could not be read is named. */
async function allRecords(stores: Stores): Promise<{ lists: readonly LoadedList[]; unread: string }> {
  const { cache, scheduler, view } = stores;
  const found = await readListAgain(cache, listQuery(domains));
  if (found?.error) return { lists: [], unread: `The domains could not be read: ${found.error.message}` };
  const rows = found?.rows ?? [];
  const queries = listsBelow(records, domains, rows);
  const entryOf = (nth: number) => {
    const query = queries[nth];
    return query && cache.getState().collections[queryKey(query)];
  };
  const isTried = () => queries.every((_, nth) => entryOf(nth)?.triedAt !== undefined && !entryOf(nth)?.loading);
  const end = scheduler.subscribe(queries, 'next');
  await until(cache, isTried);
  const lists = view.lists(records.name);
  const unread = rows.flatMap((row, nth) => (entryOf(nth)?.loadedAt === undefined ? [domains.label(row)] : []));
  end();
  return { lists, unread: unread.length === 0 ? '' : `Not read, and so left out: ${listed(unread, 4)}.` };
}

/**
 * Puts an edit of every record whose target is `from` into the plan, over all domains, and shows the plan; sends nothing.
 * Texts that have it, as SPF may, are told and stay.
 */
export async function planReplacement(stores: Stores, from: string, to: string): Promise<void> {
  const { notices, navigation } = stores;
  const kind = kindOf(from);
  if (!kind || !records.edit) return;
  const isHere = navigation.here();
  notices.say('busy', `Reading the records of all domains …`);
  const { lists, unread } = await allRecords(stores);
  const all = lists.flatMap(({ params, rows }) =>
    rows.map((row) => ({ row: row as DomainRecord, params: paramsOf(records, row, params) })),
  );
  const targets = all.filter(
    ({ row }) => kind.types.includes(row.type) && kind.same(String(row.target)) === kind.same(from),
  );
  const texts = all.filter(({ row }) => row.type === 'TXT' && textIn(row.target)?.includes(from)).length;
  const [have, them] = texts > 1 ? ['have', 'them'] : ['has', 'it'];
  const others = `${counted(texts, 'TXT record')} ${have} ${from} as well; look at ${them}.`;
  const said = [unread, texts > 0 ? others : ''].filter(Boolean).join(' ');
  const none = `No record ${unread === '' ? '' : 'that was read '}has the target ${from}. ${said}`;
  if (targets.length === 0) return notices.say('warn', sentence(none.trim()));
  const mine = { target: to };
  const edits = { opened: {}, mine };
  const submission = { resource: records, action: records.edit, targets, params: {}, draft: mine, edits };
  const [only] = targets.length === 1 ? targets : [];
  // It had no form that would have refused it.
  const wrong = only && fieldRefusal({ ...submission, targets: [only, only] }, only, stores.view);
  const why = wrong ?? putInPlan(stores, submission);
  if (why !== undefined) return notices.say('bad', [why, said].filter(Boolean).join(' '));
  if (said !== '') notices.say('warn', `${counted(targets.length, 'record')} in the plan; nothing was sent. ${said}`);
  stores.plans.setState(({ steps }) => ({ cursor: steps.at(-targets.length)?.id }));
  if (isHere()) navigation.open({ kind: 'plan' });
}
