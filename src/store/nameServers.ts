import { getServers } from 'node:dns';
import { askServer } from '../api/nameServer.ts';
import { resourceNamed } from '../resources/index.ts';
import { type NameServer, nameServerIn } from '../resources/ipAddress.ts';
import { type DnsAnswer, type Judged, questionAbout } from '../resources/networking/dnsAnswers.ts';
import type { Domain } from '../resources/networking/domainActions.ts';
import type { DomainRecord } from '../resources/networking/recordRules.ts';
import { plainName } from '../resources/networking/zoneLine.ts';
import type { Action } from '../resources/resource.ts';
import { clean, cut } from '../text/cells.ts';
import { momentWords } from '../text/times.ts';
import { type Change, changeOn, type Result, resultOf, type Target } from './changes/change.ts';
import type { UnderWay } from './changes/pendingChanges.ts';
import { readRecords } from './plans/zoneSteps.ts';
import type { Stores } from './stores.ts';

const help = 'Ask name servers';
const action: Action = { name: 'ask', key: '', help, on: `${help} about {}`, method: 'GET', path: '', harmless: true };

/** More resolvers of this machine, and name servers of a zone, are not asked. */
const maxResolvers = 3;
const maxServers = 13;

/**
 * Asks the resolver, and the name servers of the zone, about records of loaded domains, and shows the answers as they come.
 * @param port that of the zone's name servers
 */
export async function askNameServers(stores: Stores, targets: readonly Target[], port = 53): Promise<void> {
  const { changes, configuration, navigation, view } = stores;
  const { resolver } = configuration.getState().dns ?? {};
  const named = resolver === undefined ? getServers().slice(0, maxResolvers) : [resolver];
  const resolvers = named.flatMap((who) => nameServerIn(who) ?? []);
  const resource = resourceNamed('records');
  const zones = new Map<string, ReturnType<typeof openZone>>();
  await changes.run(
    { resource, action },
    targets.map(({ row, params }) => changeOn(resource, action, row, params)),
    (change, underWay) => {
      const { domainId = '' } = change.params;
      const domain = view.row('domains', domainId) as Domain;
      const zone = zones.get(domainId) ?? openZone(stores, domain, resolvers, underWay.signal);
      zones.set(domainId, zone);
      return askAbout(change, zone, underWay, { now: stores.now, port });
    },
    (id) => navigation.open({ kind: 'output', change: id }),
  );
}

/** The parts of a zone that are read once for all records of it. */
const openZone = (stores: Stores, domain: Domain, resolvers: readonly NameServer[], signal: AbortSignal) => ({
  ...{ domain, resolvers },
  records: readRecords(stores, domain),
  servers: serversOf(plainName(domain.domain), resolvers, signal),
});

async function askAbout(
  change: Change,
  { domain, resolvers, records, servers }: ReturnType<typeof openZone>,
  { signal, show }: UnderWay,
  { now, port }: Pick<Stores, 'now'> & { port: number },
): Promise<Result> {
  const began = now();
  const record = change.before as DomainRecord;
  let question = questionAbout(record, domain);
  const query = { name: question.name, type: record.type, signal };
  const heads = [`Asked ${momentWords(began, began)} about ${clean(query.name)} ${query.type}.`, 'Reading the zone …'];
  const lines: (() => Judged)[] = [];
  const output = () => {
    const all = lines.map((line) => line());
    const tones = [undefined, undefined, ...all.map(({ tone }) => tone)];
    return { lines: [...heads, ...all.map(({ says }) => says)], tones, droppedBytes: 0 };
  };
  const draw = () => {
    if (!signal.aborted) show({ output: output() });
  };
  /** Shows the answer of a server once it comes; a text is the end of a sentence about the server. */
  const ask = async (who: string, answer: Promise<DnsAnswer | string> | string): Promise<boolean> => {
    const place = lines.push(() => ({ tone: 'dim', says: `${who} is asked …` })) - 1;
    draw();
    const found = await answer;
    const isText = typeof found === 'string';
    lines[place] = () => (isText ? { tone: 'warn', says: `${who} ${found}` } : question.judged(found, who));
    draw();
    return !isText;
  };
  const readZone = async () => {
    const read = await records;
    if ('rows' in read) question = questionAbout(record, domain, read.rows);
    heads[1] = 'rows' in read ? question.zoneSays : `What the zone says is not known: ${clean(read.error.message)}`;
    draw();
  };
  const askResolvers = async () => {
    for (const one of resolvers)
      if (await ask(`Resolver ${one.address}`, askServer(one, { ...query, isRecursive: true }))) return;
  };
  const askServers = async () => {
    const all = (await servers).map(({ who, address, why }) => {
      if (address === undefined) return ask(who, why);
      return ask(`${who} (${address})`, askServer({ address, port }, { ...query, isRecursive: false }));
    });
    await Promise.all(all);
  };
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.all([askResolvers(), askServers(), Promise.race([readZone(), stopped])]);
  const good = output().tones.filter((tone) => tone === 'good').length;
  const ending = signal.aborted ? 'It was stopped.' : `${good} of ${lines.length} answer as the zone says.`;
  const result = resultOf(change, signal.aborted ? 'failed' : 'done', ending);
  return { ...result, output: { ...output(), ending, ms: now() - began } };
}

/**
 * The name servers of a zone with their addresses, as the first resolver tells them that answers. One without an address
 * has the end of a sentence in its place, as has the zone itself where none is known.
 */
async function serversOf(zone: string, resolvers: readonly NameServer[], signal: AbortSignal) {
  const look = async (name: string, type: string) => {
    let answer: DnsAnswer | string = 'is not named by this machine';
    for (const one of resolvers) {
      answer = await askServer(one, { name, type, isRecursive: true, signal });
      if (typeof answer !== 'string') break;
    }
    if (typeof answer === 'string') return { found: [], why: `the resolver ${answer}` };
    return {
      found: answer.records.filter((one) => one.type === type).map(({ target }) => target),
      why: 'none is told',
    };
  };
  const { found, why } = await look(zone, 'NS');
  const none = { who: `The name servers of ${clean(zone)}`, address: undefined, why: `are not known: ${why}` };
  if (found.length === 0) return [none];
  const names = [...new Set(found.map(plainName))].toSorted().slice(0, maxServers);
  return Promise.all(
    names.map(async (name) => {
      const [four, six] = await Promise.all([look(name, 'A'), look(name, 'AAAA')]);
      const [address] = [...four.found, ...six.found];
      return { who: cut(clean(name), 60), address, why: `has no known address: ${four.why}` };
    }),
  );
}
