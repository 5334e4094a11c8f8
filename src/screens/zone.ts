import type { Domain } from '../resources/networking/domainActions.ts';
import type { DomainRecord } from '../resources/networking/recordRules.ts';
import { zoneChanges } from '../resources/networking/zoneChanges.ts';
import { zoneFileOf } from '../resources/networking/zoneLine.ts';
import { readZone, type TextRemark } from '../resources/networking/zoneReader.ts';
import { readRecords, zoneSteps } from '../store/plans/zoneSteps.ts';
import type { Stores } from '../store/stores.ts';
import { clean } from '../text/cells.ts';
import { keyLabel } from '../text/keyLabel.ts';
import { counted, textIn } from '../text/words.ts';
import type { KeySubject } from './keys/keyboard.ts';
import type { AppContextValue } from './useStores.ts';

/** Asks name servers about the records under the cursor; returns a sentence where it does not. */
export function askAboutRecords(stores: Stores, subject: Partial<KeySubject>): string | undefined {
  const { resource, targets = [], params = {} } = subject;
  if (resource?.name !== 'records' || targets.length === 0) return 'There is no record here to ask name servers about.';
  // Neither the demo nor a replay has a configuration.
  if (!stores.configuration.getState().dns?.resolve)
    return stores.settings.demo
      ? 'No name server knows the zones of the demo or of a replay, so none is asked.'
      : 'Name servers are asked where the configuration has resolve = true in [dns]; they are told the name of the record.';
  const those = targets.map((one) => ({ ...one, params: { ...params, ...one.params } }));
  const isRead = those.every((one) => textIn(stores.view.row('domains', one.params.domainId)?.domain));
  if (!isRead) return 'The domain is not read yet; open it first.';
  void import('../store/nameServers.ts').then((late) => late.askNameServers(stores, those));
  return undefined;
}

/** Begins the comments about mistakes, which are taken out again. */
const mark = ';! ';

/** A zone file with its mistakes as comments above their lines. */
function marked(text: string, mistakes: readonly TextRemark[]): string {
  const above = (nth: number) =>
    mistakes.flatMap(({ line, column, says }) =>
      line === nth + 1 ? [clean(`${mark}column ${column}: ${says}`, 500)] : [],
    );
  const head = `${mark}${counted(mistakes.length, 'mistake')}; nothing is planned yet. Save it as it is to give up.`;
  return [head, ...text.split('\n').flatMap((line, nth) => [...above(nth), line])].join('\n');
}

/**
 * Opens a domain as a zone file in the editor, again and again while there are mistakes, and plans what was changed. A zone
 * that others changed meanwhile is compared as it was, so that nothing of theirs is taken back.
 */
export async function editZone({ stores, edit }: AppContextValue, opened: Domain): Promise<unknown> {
  const { notices, navigation, plans } = stores;
  const key = `zone ${opened.id}`;
  const { mine, opened: was } = navigation.getState().drafts[key] ?? {};
  const reading = `Reading the records of ${opened.domain} …`;
  const read = was
    ? { rows: JSON.parse(String(was.records)) }
    : await navigation.behind('Edit the zone', reading, async (isThere) => {
        const found = await readRecords(stores, opened);
        return isThere() ? found : undefined;
      });
  if (!read) return undefined;
  if ('error' in read) return notices.say('bad', `The zone was not opened: ${read.error.message}`);
  const records: readonly DomainRecord[] = read.rows;
  const domain: Domain = was ? JSON.parse(String(was.domain)) : opened;
  const keep = (text: string) => {
    const zone = { domain: JSON.stringify(domain), records: JSON.stringify(records) };
    navigation.keepDraft(key, { title: `the zone file of ${domain.domain}`, opened: zone, mine: { text } });
  };
  const forget = () => navigation.keepDraft(key, undefined);
  const before = zoneFileOf(domain, records);
  const again = `${keyLabel('everywhere.zone', 'E')} opens what was typed again.`;
  for (let shown = String(mine?.text ?? before); ; ) {
    const first = shown.split('\n').findIndex((line, nth) => nth > 0 && line.startsWith(mark));
    const edited = await edit(shown, first < 0 ? undefined : first + 1).catch((error: Error) => error);
    if (edited instanceof Error) return notices.say('bad', edited.message);
    if (edited === undefined) return notices.say('plain', 'The editor ended with an error, so nothing was planned.');
    const typed = edited.replace(new RegExp(`^${mark}.*\n`, 'gm'), '');
    if (typed === before) {
      forget();
      return notices.say('plain', `Nothing was changed in ${domain.domain}, so nothing was planned.`);
    }
    keep(edited);
    const changes = zoneChanges(readZone(typed, domain.domain), domain, records, stores.view);
    if (changes.mistakes.length > 0) {
      if (edited === shown) return notices.say('warn', `The zone file has mistakes, so nothing was planned; ${again}`);
      shown = marked(typed, changes.mistakes);
      continue;
    }
    const steps = zoneSteps(stores, domain, changes);
    const refused = steps.length > 0 ? plans.add(steps) : undefined;
    if (refused !== undefined) return notices.say('bad', `${refused} ${again}`);
    forget();
    if (steps.length === 0) return notices.say('plain', `${domain.domain} is as its file has it: nothing to plan.`);
    const notes = changes.notes.map(({ line, says }) => ` Line ${line}: ${says}`).join('');
    const planned = `${counted(steps.length, 'step')} for ${domain.domain} ${steps.length > 1 ? 'are' : 'is'} in the plan`;
    notices.say('good', `${planned}; nothing was sent.${notes}`);
    plans.setState(({ steps: all }) => ({ cursor: all.at(-steps.length)?.id }));
    return navigation.open({ kind: 'plan' });
  }
}

/** Whether a place is about domains or their records. */
export const isOfZone = (resource: string | undefined): boolean => resource === 'domains' || resource === 'records';

/** Edits the zone of the domain under the cursor, or of its records; returns a sentence where there is none. */
export function openZone(context: AppContextValue, subject: Partial<KeySubject>): string | undefined {
  const { targets = [], params = {} } = subject;
  const ids = new Set(targets.map((target) => target.params.domainId ?? params.domainId));
  const [id = params.domainId] = ids;
  if (id === undefined) return 'There is no domain here whose zone could be edited.';
  if (ids.size > 1) return `These are ${ids.size} domains; one zone at a time is edited.`;
  const domain = context.stores.view.row('domains', id) as Domain | undefined;
  if (!domain) return 'The domain is not read yet; open it first.';
  if (!textIn(domain.domain)) return 'This domain has no name, so it has no zone file.';
  if (domain.type === 'slave') return `${domain.domain} is a slave, so its records are those of its masters.`;
  const isReading = context.stores.navigation.getState().overlays.some(({ kind }) => kind === 'reading');
  if (isReading) return 'A zone is being opened; wait for the editor.';
  void editZone(context, domain);
  return undefined;
}
