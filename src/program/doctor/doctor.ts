import { clockDifference, wrongClockText } from '../../api/apiClock.ts';
import type { Api } from '../../api/client.ts';
import { ApiError, asApiError } from '../../api/error.ts';
import { proxyFor } from '../../api/proxies.ts';
import { isUnencrypted } from '../../config/settingRules.ts';
import { resourceNamed, setUserActions } from '../../resources/index.ts';
import { at, isNothing } from '../../resources/row.ts';
import {
  type Capabilities,
  capabilitiesOf,
  type Environment,
  type TerminalOutput,
} from '../../terminal/capabilities.ts';
import { visibleJson } from '../../text/escapes.ts';
import { listed, uncapitalized } from '../../text/words.ts';
import { tokenCheck } from '../connection.ts';
import { UsageError } from '../rules.ts';
import type { RunSettings } from '../settings.ts';
import type { CheckResult } from './onMachine.ts';

/** The input of the doctor's checks, and its output. */
export interface DoctorInput {
  settings: () => Promise<RunSettings>;
  connect: (settings: RunSettings) => { api: Api; close(): Promise<void> };
  env: Environment;
  stdout: TerminalOutput & { isTTY?: boolean };
  /** The directory of the audit log. */
  state: string;
  /** One JSON document is printed in place of lines. */
  json?: boolean;
  /** Prints one line, given without its newline; the doctor awaits it. */
  print: (line: string) => unknown;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Prints the line of one check. */
type Tell = (name: string, finding: CheckResult) => Promise<void>;

const rounds = 3;

/** Runs every check and prints a line for each. Returns the number of failures. */
export async function diagnose(input: DoctorInput): Promise<number> {
  const found: { check: string; result: 'fine' | 'wrong' | 'unknown'; says: string }[] = [];
  const print = input.json ? () => {} : input.print;
  const capabilities = capabilitiesOf(input.env, input.stdout);
  let failures = 0;
  let known: RunSettings | undefined;
  const tell: Tell = async (name, { fine, says }) => {
    if (fine === false) failures++;
    found.push({ check: name, result: fine === undefined ? 'unknown' : fine ? 'fine' : 'wrong', says });
    await print(`${markOf(fine, capabilities.glyphs)} ${name.padEnd(9)} ${says}`);
  };
  try {
    const settings = await input.settings();
    known = settings;
    await tell('config', { fine: true, says: configText(settings) });
    for (const text of settings.leftOut) await tell('config', { fine: false, says: `${text} It is left out.` });
    if (settings.configuration.guards.length > 0) await tellGuards(settings, { ...input, print }, tell);
    const { programFindings, stateFinding } = await import('./onMachine.ts');
    // Of the demo no change is noted.
    if (!settings.demo) await tell('state', stateFinding(input.state));
    for (const finding of programFindings(settings.configuration, input.env)) await tell('programs', finding);
    await tell('address', addressFinding(settings));
    if (settings.account && settings.proxies) {
      const proxy = proxyFor(settings.account.baseUrl, settings.proxies);
      const says = proxy ? `${proxy.label} (${proxy.variable})` : 'not used for this address';
      await tell('proxy', { fine: true, says });
    }
    await checkApi(settings, input, tell);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    await tell('config', { fine: false, says: error.message });
  }
  await tell('terminal', terminalFinding(capabilities, input));
  await tell('clipboard', clipboardFinding(capabilities, input.env));
  if (input.stdout.isTTY && !capabilities.dumb) await tell('window', windowFinding(capabilities, known));
  if (input.json) await input.print(visibleJson({ failures, checks: found }, 2));
  return failures;
}

function markOf(fine: boolean | undefined, glyphs: Capabilities['glyphs']): string {
  const [good, bad, unknown] = glyphs === 'ascii' ? '+x-' : '✓✗–';
  return (fine === undefined ? unknown : fine ? good : bad) ?? '';
}

async function checkApi(settings: RunSettings, input: DoctorInput, tell: Tell): Promise<void> {
  const { api, close } = input.connect(settings);
  try {
    if (!api.readOnly) throw new Error('the doctor needs a read-only client');
    const { isSilent, ...latency } = await latencyFinding(api);
    await tell('latency', latency);
    await tell('clock', clockFinding(clockDifference(api.time(), input.now()), latency.fine === true));
    const token = isSilent ? notAsked : await tokenFinding(api, settings);
    await tell('token', token);
    if (token.fine) await tell('lists', await listFinding(api, settings));
    if (token.fine) await tellHoldings(settings, input, api, tell);
  } finally {
    await close();
  }
}

const notAsked: CheckResult = { fine: undefined, says: 'not asked, as the API does not answer' };

function configText({ configFile, commandsFile, profile, demo, readOnly, exchanges }: RunSettings): string {
  const own = exchanges?.answer ? `a ${profile}` : 'the built-in demo';
  const from = demo ? own : configFile ? `${configFile}, profile ${profile}` : 'from the environment';
  const beside = commandsFile ? `, with the commands of ${commandsFile}` : '';
  return `${from}${readOnly ? ', read-only' : ''}${beside}`;
}

async function tellGuards(
  { configuration: { commands, guards } }: RunSettings,
  { print }: DoctorInput,
  tell: Tell,
): Promise<void> {
  const { guardLines } = await import('./coverage.ts');
  const { actionsOfCommands } = await import('../../config/commandActions.ts');
  setUserActions(guards, actionsOfCommands(commands));
  const { each, table } = guardLines(guards);
  setUserActions(guards, undefined);
  for (const [index, says] of each.entries()) await tell(`guard ${index + 1}`, { fine: true, says });
  for (const line of table) await print(`            ${line}`);
}

/** Reads the first page of a list whose path has a word of the vocabulary. */
async function listFinding(api: Api, { vocabulary = {} }: RunSettings): Promise<CheckResult> {
  const { list } = resourceNamed('servers');
  if (!list) throw new Error('servers cannot be listed');
  const words = Object.entries(vocabulary).map(([name, word]) => `${name} = ${word}`);
  const answer = await api.send(list, { query: { page_size: 25 } }).catch(asApiError);
  if (answer instanceof ApiError) return { fine: answer.status === 403 ? undefined : false, says: answer.message };
  return rowsFinding(at(answer.body, 'data'), words.length > 0 ? words.join(', ') : 'the documents');
}

/** The keys that each server has in the documents, and without which no row is told from another. */
const neededKeys = ['id', 'label'];

/** Tells by the servers of a page whether their list is in the words that it is read by. */
function rowsFinding(rows: unknown, words: string): CheckResult {
  if (!Array.isArray(rows)) return { fine: false, says: 'the list of servers has no data, so it is none of this API.' };
  const none = `there is no server, so only the path of their list is seen to be in the words of ${words}`;
  if (rows.length === 0) return { fine: undefined, says: none };
  const lacking = neededKeys.filter((key) => rows.some((row) => isNothing(at(row, key))));
  if (lacking.length === 0) return { fine: true, says: `servers are read, in the words of ${words}` };
  const says = `servers came without ${listed(lacking, 2)}, so they are not in the words of ${words}; look at vocabulary and base_url.`;
  return { fine: false, says };
}

/** Tells on how many rows guards, rules and views hold now; one that holds on none may not be meant so. */
async function tellHoldings({ configuration }: RunSettings, { now }: DoctorInput, api: Api, tell: Tell): Promise<void> {
  const { guards, rules, views } = configuration;
  if (guards.length + rules.length + Object.keys(views).length === 0) return;
  const { holdings } = await import('./coverage.ts');
  for (const { name, isOn, says } of await holdings(configuration, api, now())) await tell(name, { fine: isOn, says });
}

function addressFinding({ account, tlsWarning }: RunSettings): CheckResult {
  if (!account) return { fine: true, says: 'on this machine' };
  if (isUnencrypted(account.baseUrl)) {
    const says = `${account.baseUrl} is not encrypted, so anyone on the network can read the token; use https.`;
    return { fine: false, says };
  }
  if (tlsWarning === undefined) return { fine: true, says: account.baseUrl };
  const says = `NODE_TLS_REJECT_UNAUTHORIZED=0 is set, so anyone on the network can impersonate ${account.baseUrl} and read the token; unset it, and name a CA of your own in NODE_EXTRA_CA_CERTS.`;
  return { fine: false, says };
}

/** Reads the regions, which takes no token, a few times; the API is silent where it does not answer in time. */
async function latencyFinding(api: Api): Promise<CheckResult & { isSilent?: boolean }> {
  const { list } = resourceNamed('regions');
  if (!list) throw new Error('regions cannot be listed');
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      await api.send(list);
      times.push(performance.now() - start);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { fine: false, says: error.message, isSilent: error.kind === 'timeout' };
  }
  const median = times.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
  return { fine: true, says: `${Math.round(median)} ms (median of ${rounds})` };
}

function clockFinding(ahead: number | undefined, isAnswered: boolean): CheckResult {
  const untold = isAnswered ? 'the API does not send its time' : 'unknown without an answer';
  if (ahead === undefined) return { fine: undefined, says: untold };
  const wrong = wrongClockText(ahead);
  return { fine: wrong === undefined, says: wrong ?? 'agrees with the clock of the API' };
}

async function tokenFinding(api: Api, { account }: RunSettings): Promise<CheckResult> {
  const from = account ? ` (${uncapitalized(account.token.source)})` : '';
  const answer = await api.send(tokenCheck()).catch(asApiError);
  if (!(answer instanceof ApiError))
    return { fine: true, says: `accepted${answer.scopes ? `, with the scopes ${answer.scopes}` : ''}${from}` };
  if (answer.status !== 403) return { fine: false, says: `${answer.message}${from}` };
  return { fine: true, says: `accepted, but restricted${from}: ${answer.message}` };
}

/** Tells whether copying reaches the clipboard; of tmux, what it has to let pass. */
function clipboardFinding({ console, dumb, multiplexer }: Capabilities, env: Environment): CheckResult {
  if (dumb || console) return { fine: undefined, says: `a ${env.TERM} terminal has none, so nothing is copied` };
  if (multiplexer === 'tmux')
    return { fine: undefined, says: 'by the terminal, where tmux has set-clipboard or allow-passthrough on' };
  return { fine: true, says: `by the terminal (OSC 52)${multiplexer ? `, through ${multiplexer}` : ''}` };
}

/** Tells what is used beside the picture; some of it the terminal is asked only when the dashboard opens. */
function windowFinding(
  { console, progress, multiplexer }: Capabilities,
  settings: RunSettings | undefined,
): CheckResult {
  const reader = settings?.screenReader ? ', cursor for a screen reader' : '';
  if (console) return { fine: true, says: `a console: no title, no mouse, no questions${reader}` };
  const asked = multiplexer === 'screen' ? 'not asked inside screen' : 'asked when it opens';
  const theme = settings === undefined || settings.followsBackground ? asked : `theme ${settings.theme}`;
  const mouse = settings?.mouse ? 'mouse on' : 'mouse off (--mouse)';
  const parts = [
    `title, ${progress ? '' : 'no '}progress on the tab`,
    mouse,
    `light or dark: ${theme}`,
    `kitty keyboard: ${asked}`,
  ];
  return { fine: true, says: parts.join(', ') + reader };
}

function terminalFinding(capabilities: Capabilities, { env, stdout }: DoctorInput): CheckResult {
  const { dumb, glyphs, colorDepth, multiplexer, columns, rows } = capabilities;
  if (dumb) return { fine: false, says: 'TERM is dumb; set it to the type of your terminal, e.g. xterm-256color.' };
  if (!stdout.isTTY) return { fine: undefined, says: 'standard output is not a terminal' };
  const colors = colorDepth > 1 ? `${colorDepth === 24 ? 'all' : 2 ** colorDepth} colours` : 'no colours';
  const parts = [
    env.TERM ?? 'TERM is not set',
    multiplexer,
    colors,
    glyphs === 'ascii' ? 'ASCII' : 'UTF-8',
    `${columns}×${rows}`,
  ];
  const says = parts.filter(Boolean).join(', ');
  const small = (columns ?? 0) < 60 || (rows ?? 0) < 16;
  return small ? { fine: false, says: `${says}; the window must have at least 60×16.` } : { fine: true, says };
}
