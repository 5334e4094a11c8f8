import { getServers } from 'node:dns';
import { askServer } from '../api/nameServer.ts';
import { resourceNamed } from '../resources/index.ts';
import { type NameServer, nameServerIn } from '../resources/ipAddress.ts';
import { foundOrMade } from '../resources/memoize.ts';
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
 * @param machine the resolvers of this machine, which are asked where the configuration names none
 */
export async function askNameServers(stores: Stores, targets: readonly Target[], port = 53, machine = getServers()) {
  const { changes, configuration, navigation, view, now } = stores;
  const { resolver } = configuration.getState().dns ?? {};
  const named = resolver === undefined ? machine.slice(0, maxResolvers) : [resolver];
  const resolvers = named.flatMap((who) => nameServerIn(who) ?? []);
  const resource = resourceNamed('records');
  const changesOf = targets.map(({ row, params }) => changeOn(resource, action, row, params));
  const zones = new Map<string, ReturnType<typeof readZone>>();
  const open = (id: number) => navigation.open({ kind: 'output', change: id });
  await changes.run({ resource, action }, changesOf, askAbout, open);

  /** Reads the parts of a zone that all records of it need. */
  function readZone(domain: Domain, signal: AbortSignal) {
    const servers = serversOf(plainName(domain.domain), resolvers, signal);
    return { domain, servers, records: readRecords(stores, domain) };
  }

  async function askAbout(change: Change, { signal, show }: UnderWay): Promise<Result> {
    const { domainId = '' } = change.params;
    const zone = foundOrMade(zones, domainId, () => readZone(view.row('domains', domainId) as Domain, signal));
    const began = now();
    const record = change.before as DomainRecord;
    let question = questionAbout(record, zone.domain);
    let zoneSays = 'Reading the zone …';
    const query = { name: question.name, type: record.type, signal };
    const about = `Asked ${momentWords(began, began)} about ${clean(query.name)} ${query.type}.`;
    const heads = [() => about, () => zoneSays];
    const lines: (() => Judged)[] = heads.map((says) => () => ({ tone: 'plain', says: says() }));
    const output = () => {
      const all = lines.map((line) => line());
      return { lines: all.map(({ says }) => says), tones: all.map(({ tone }) => tone), droppedBytes: 0 };
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
    const askZone = async () => {
      const read = await zone.records;
      if ('rows' in read) question = questionAbout(record, zone.domain, read.rows);
      zoneSays = 'rows' in read ? question.zoneSays : `What the zone says is not known: ${clean(read.error.message)}`;
      draw();
    };
    const askResolvers = async () => {
      for (const one of resolvers)
        if (await ask(`Resolver ${one.address}`, askServer(one, { ...query, isRecursive: true }))) return;
    };
    const askServers = async () => {
      const all = (await zone.servers).map(({ who, address, why }) => {
        if (address === undefined) return ask(who, why);
        return ask(`${who} (${address})`, askServer({ address, port }, { ...query, isRecursive: false }));
      });
      await Promise.all(all);
    };
    const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await Promise.all([askResolvers(), askServers(), Promise.race([askZone(), stopped])]);
    const tones = output().tones.filter((tone) => tone !== 'plain');
    const good = tones.filter((tone) => tone === 'good').length;
    const ending = signal.aborted ? 'It was stopped.' : `${good} of ${tones.length} answer as the zone says.`;
    const result = resultOf(change, signal.aborted ? 'failed' : 'done', ending);
    return { ...result, output: { ...output(), ending, ms: now() - began } };
  }
}

/**
 * The name servers of a zone with their addresses, as the first resolver tells them that answers. One without an address
 * has the end of a sentence in its place, as has the zone itself where none is known.
 */
async function serversOf(zone: string, resolvers: readonly NameServer[], signal: AbortSignal) {
  let left = resolvers;
  const look = async (name: string, type: string) => {
    let answer: DnsAnswer | string = 'is not named by this machine';
    for (const one of left) {
      answer = await askServer(one, { name, type, isRecursive: true, signal });
      if (typeof answer === 'string') continue;
      // The others need not be waited for again.
      left = [one];
      break;
    }
    if (typeof answer === 'string') return { found: [], why: `the resolver ${answer}` };
    const found = answer.records.filter((one) => one.type === type).map(({ target }) => target);
    return { found, why: 'none is told' };
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
