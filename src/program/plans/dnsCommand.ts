import { maxPlanBytes } from '../../config/planSchema.ts';
import { quoted } from '../../config/settingRules.ts';
import type { Domain } from '../../resources/networking/domainActions.ts';
import { type ZoneChanges, zoneChanges } from '../../resources/networking/zoneChanges.ts';
import { plainName, zoneFileOf } from '../../resources/networking/zoneLine.ts';
import { readZone, type TextRemark, type ZoneText } from '../../resources/networking/zoneReader.ts';
import type { NewStep } from '../../store/plans/plan.ts';
import { ownPlan, writtenPlan } from '../../store/plans/planFile.ts';
import { readRecords, readWholeList, zoneSteps } from '../../store/plans/zoneSteps.ts';
import type { Stores } from '../../store/stores.ts';
import { capabilitiesOf } from '../../terminal/capabilities.ts';
import { clean } from '../../text/cells.ts';
import { shellWord } from '../../text/escapes.ts';
import { orSuggestion } from '../../text/nearest.ts';
import { counted } from '../../text/words.ts';
import { exit } from '../commandLine/exitCodes.ts';
import { print } from '../output.ts';
import { readNamed } from '../privateFile.ts';
import { throwUsage, UnknownNameError, UsageError } from '../rules.ts';
import type { CommandRun } from '../settings.ts';
import { openPlanAccount } from './planAccount.ts';
import { planText } from './planText.ts';

interface ReadFile {
  file: string;
  text: ZoneText;
}

/** Carries out `skydeck dns`. Returns the exit code; rejects with a UsageError. */
export async function dnsCommand(run: CommandRun): Promise<number> {
  const { dns: { topic, words } = { topic: 'check', words: [] }, options } = run.invocation;
  const { zone, out } = options;
  const { host } = run;
  if (zone !== undefined && (topic === 'export' || words.length > 1))
    throw new UsageError(`--zone names the zone of one file${topic === 'export' ? ', and export takes zones' : ''}.`);
  if (out !== undefined && topic !== 'plan')
    throw new UsageError(`skydeck dns ${topic} takes no --out, so leave it out.`);
  if (topic === 'export') return withAccount(run, (stores) => exportZones(stores, host, words));
  const files = words.map((file): ReadFile => {
    const text = readNamed(file, { called: 'The zone file', isAnybodys: true, isStrict: true, maxBytes: maxPlanBytes });
    return { file, text: readZone(text, zone) };
  });
  return topic === 'check' ? check(host, files) : withAccount(run, (stores) => plan(stores, run, files));
}

/** Runs it on the account, to which nothing but GET is sent. */
async function withAccount(
  run: CommandRun,
  act: (stores: Stores) => Promise<number | { error: Error }>,
): Promise<number> {
  const account = openPlanAccount({ ...(await run.settings()), readOnly: true }, run);
  try {
    const refused = await account.whyRefused();
    const done = refused === undefined ? await act(account.stores) : { error: new Error(refused) };
    if (typeof done === 'number') return done;
    run.complain(done.error.message);
    return exit.unreachable;
  } finally {
    await account.close();
  }
}

/** The domain of this name or id. Throws a UsageError that names the nearest one. */
function domainCalled(domains: readonly Domain[], word: string, said = ''): Domain {
  const found = domains.find(({ id, domain }) => plainName(domain) === plainName(word) || String(id) === word);
  if (found?.type === 'slave')
    throw new UsageError(`${said}${found.domain} is a slave, so its records are those of its masters.`);
  if (found) return found;
  const names = domains.map(({ domain }) => domain);
  throw new UnknownNameError(
    `${said === '' ? 'There' : `${said}there`} is no domain ${quoted(word)}${orSuggestion(word, names)}`,
  );
}

async function exportZones(stores: Stores, { stdout }: NodeJS.Process, words: readonly string[]) {
  const domains = await readWholeList<Domain>(stores, 'domains');
  if ('error' in domains) return domains;
  const wanted = words.map((word) => domainCalled(domains.rows, word));
  for (const domain of wanted) {
    const records = await readRecords(stores, domain);
    if ('error' in records) return records;
    await print(stdout, zoneFileOf(domain, records.rows));
  }
  return exit.fine;
}

/** Remarks as compilers say them, so that editors go there. */
const told = (file: string, remarks: readonly TextRemark[], kind = '') =>
  remarks.map(({ line, column, says }) => clean(`${file}:${line}:${column}: ${kind}${says}`, Number.POSITIVE_INFINITY));

/** Prints the mistakes of files, as far as they are known without an account. */
async function check({ stdout }: NodeJS.Process, files: readonly ReadFile[]): Promise<number> {
  const checked = files.map(({ file, text }) => {
    const domain = { id: 0, domain: text.zone ?? '', type: 'master', status: 'active' } as Domain;
    const { mistakes, notes } = text.zone === undefined ? text : zoneChanges(text, domain, []);
    const fine = `${file} has no mistakes: ${text.zone}, ${counted(text.entries.length, 'record')}.`;
    const lines = [...(mistakes.length > 0 ? told(file, mistakes) : [fine]), ...told(file, notes, 'note: ')];
    return { lines, mistakes };
  });
  await print(stdout, `${checked.flatMap(({ lines }) => lines).join('\n')}\n`);
  return checked.some(({ mistakes }) => mistakes.length > 0) ? exit.usage : exit.fine;
}

async function plan(stores: Stores, { invocation, host, complain }: CommandRun, files: readonly ReadFile[]) {
  const domains = await readWholeList<Domain>(stores, 'domains');
  if ('error' in domains) return domains;
  const steps: NewStep[] = [];
  let isWrong = false;
  for (const [place, { file, text }] of files.entries()) {
    const twin = files.slice(0, place).find(({ text: { zone } }) => zone !== undefined && zone === text.zone)?.file;
    if (twin) throw new UsageError(`${file} is of the zone ${text.zone}, as ${twin} is: plan one of them.`);
    let changes: Pick<ZoneChanges, 'mistakes' | 'notes'> = text;
    if (text.zone !== undefined) {
      const domain = domainCalled(domains.rows, text.zone, `${file}: `);
      const records = await readRecords(stores, domain);
      if ('error' in records) return records;
      const found = zoneChanges(text, domain, records.rows, stores.view);
      changes = found;
      const own = found.mistakes.length > 0 ? [] : zoneSteps(stores, domain, found);
      if (own.length === 0 && found.mistakes.length === 0) complain(`${domain.domain} is as ${file} has it.`);
      steps.push(...own);
    }
    for (const line of [...told(file, changes.mistakes), ...told(file, changes.notes, 'note: ')]) complain(line);
    isWrong ||= changes.mistakes.length > 0;
  }
  if (isWrong) {
    complain('Nothing was planned.');
    return exit.usage;
  }
  if (steps.length === 0) return exit.fine;
  const refused = stores.plans.add(steps);
  if (refused !== undefined) throw new UsageError(refused);
  const written = writtenPlan(await ownPlan(stores), { program: SKYDECK_VERSION, now: stores.now() });
  if ('mistakes' in written) throw new UsageError(written.mistakes.join(' '));
  const { out, ascii } = invocation.options;
  if (out !== undefined) {
    await stores.files.save(out, written.text).catch(throwUsage);
    complain(`Saved for you alone; skydeck plan apply ${shellWord(out)} carries it out.`);
    return exit.fine;
  }
  const glyphs = ascii ? 'ascii' : capabilitiesOf(host.env, host.stdout).glyphs;
  await print(host.stdout, planText(written.plan, glyphs));
  return exit.fine;
}
