import { rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { connect } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { proxiesIn } from '../api/proxies.ts';
import { addressMistake, colorDepths, isUnencrypted } from '../config/settingRules.ts';
import type { AccountEntries, AccountRefusal, FirstChoice } from '../screens/start/drawFirstStart.tsx';
import { capabilitiesOf, type Environment } from '../terminal/capabilities.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { attempt } from '../text/errno.ts';
import { configFile, trustedConfig } from './config/readConfig.ts';
import { refusalText, tokenCheck } from './connection.ts';
import type { Options } from './invocation.ts';
import { readNamed } from './privateFile.ts';
import { changeNamed, freePath, replaceNamed } from './replaceFile.ts';
import { sentenceOf, UsageError } from './rules.ts';
import { checkedToken, trustedToken } from './token.ts';

/** The name of the profile that is made. */
const profile = 'default';

/**
 * Shows the ways to begin where no account is configured, until one is chosen; an account is tried and saved first.
 * @param keepSecret called with each token before it is used, so that no report shows it
 */
export async function firstStart(
  { config, baseUrl, theme, ascii, noColor, colors }: Options,
  env: Environment,
  terminal: Terminal,
  keepSecret: (token: string) => void,
): Promise<FirstChoice> {
  const { file } = configFile(config, env);
  const { drawFirstStart } = await import('../screens/start/drawFirstStart.tsx');
  const { glyphs, colorDepth } = capabilitiesOf(env, terminal.stdout);
  const depth = colorDepths[colors ?? ''] ?? colorDepth;
  return drawFirstStart({
    terminal,
    theme: [theme, ascii ? 'ascii' : glyphs, !noColor && !env.NO_COLOR, depth],
    configFile: file,
    start: { address: baseUrl ?? env.SKYDECK_BASE_URL ?? '', token: '' },
    reading: readingFor(file),
    connect: async (typed, signal) => {
      const entries = { address: typed.address.trim(), token: typed.token.trim() };
      keepSecret(entries.token);
      const refusal = await refusalOf(entries, env, signal);
      return refusal ?? (signal.aborted ? undefined : notSaved(file, entries));
    },
  });
}

/** Why an account cannot be used: a rule that it breaks, or the answer to one request with its token. */
async function refusalOf(
  { address, token }: AccountEntries,
  env: Environment,
  signal: AbortSignal,
): Promise<AccountRefusal | undefined> {
  const wrong = addressMistake(address);
  if (wrong) return { field: 'address', says: `The address ${wrong}.` };
  if (isUnencrypted(address))
    return { field: 'address', says: `${address} is not encrypted, so anyone could read the token; use https.` };
  try {
    checkedToken(token, 'The token');
  } catch (error) {
    return { field: 'token', says: (error as UsageError).message };
  }
  const { method, path } = tokenCheck();
  const tried = `${method} ${address.replace(/\/$/, '')}${path}`;
  try {
    const api = connect({ baseUrl: address, token, readOnly: true, proxies: proxiesIn(env) });
    const close = () => void api.close();
    signal.addEventListener('abort', close);
    try {
      // A probe passes the circuit breaker, whose error would hide the reason.
      await api.send(tokenCheck(), { isProbe: true });
    } finally {
      await api.close();
    }
  } catch (error) {
    if (!(error instanceof ApiError)) return { field: 'address', says: (error as Error).message };
    // A token without the scope of this request is a valid one.
    if (error.status === 403) return undefined;
    return { field: error.status === 401 ? 'token' : 'address', tried, says: refusalText(error, address) };
  }
  return undefined;
}

/** Saves an account as a profile; answers why it could not be saved. What is there already stays. */
function notSaved(configFile: string, { address, token }: AccountEntries): AccountRefusal | undefined {
  let tokenFile: string | undefined;
  try {
    changeNamed(configFile, trustedConfig, (before) => {
      // Another session may have been here meanwhile.
      if (new RegExp(`^\\s*\\[profiles\\.${profile}\\]`, 'm').test(before))
        throw new UsageError(`${configFile} has a profile ${profile} by now; start again to use it.`);
      const file = join(dirname(configFile), `${profile}.token`);
      // One that was killed before its profile was there has left it.
      const isLeft = attempt(() => readNamed(file, trustedToken).trim()) === token;
      if (!isLeft) {
        tokenFile = freePath(file);
        replaceNamed(tokenFile, `${token}\n`);
      }
      const lines = [
        `[profiles.${profile}]`,
        `base_url = ${JSON.stringify(address)}`,
        `token_file = ${JSON.stringify(basename(tokenFile ?? file))}`,
      ];
      return `${before.replace(/[^\n]$/, '$&\n')}${lines.join('\n')}\n`;
    });
    return undefined;
  } catch (error) {
    // No profile names it, and the next try makes another one.
    if (tokenFile) rmSync(tokenFile, { force: true });
    return { field: 'address', says: `It works, but it cannot be saved: ${sentenceOf(error)}` };
  }
}

/** The ways to give an account without the first screen, as paragraphs. */
const readingFor = (configFile: string): readonly string[] => [
  'Skydeck shows servers, volumes, domains, NodeBalancers, object storage, tickets and billing of one account on one screen, and changes them by keys. It asks before anything is lost or charged.',
  `It needs the address of the API and a personal access token. Both come from a profile in ${configFile}, or from the variables SKYDECK_BASE_URL and SKYDECK_TOKEN.`,
  'The token itself never stands in the configuration: a profile names its source with token_file (readable by you alone), token_env, or token_command for a password manager.',
  'A token with read-only scopes, read_only = true in a profile, or --read-only lets nothing but reading leave this machine. critical = true has the label typed before anything is changed.',
  'skydeck --help lists all else: watch for a monitor on the wall, snapshot for cron and CI, doctor to check token, clock and terminal.',
  'In the dashboard : goes anywhere, ? shows the keys that work, q quits.',
];
