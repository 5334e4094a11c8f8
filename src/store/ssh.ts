import type { Configuration } from '../config/configuration.ts';
import { resourceNamed } from '../resources/index.ts';
import { isIpv4, isIpv6, isPrivateAddress } from '../resources/ipAddress.ts';
import { replaced } from '../resources/placeholders.ts';
import type { CacheView, Row } from '../resources/resource.ts';
import { visibleJson } from '../text/escapes.ts';
import { parseFilter } from './filter/filter.ts';

export type SshConfig = Configuration['ssh'];

/** The program that is a shell on a server: never run by a shell of this machine. */
export interface Shell {
  argv: readonly string[];
  user: string;
  address: string;
  /** The server. */
  id: string;
  label: string;
}

/** The end of a shell, as a sentence. */
export interface ShellEnd {
  /** It ended with code 0, or has a window of its own. */
  isGood: boolean;
  says: string;
}

/** A shell as the audit log has it. */
export interface ShellEntry {
  shell: readonly string[];
  server: Pick<Shell, 'id' | 'label'>;
}

export const shellEntry = ({ argv, id, label }: Shell): ShellEntry => ({ shell: argv, server: { id, label } });

/** Why no shell is opened at all, as sentences. */
export const noShell = {
  demo: 'The servers of the demo are in its memory only; nobody can log in to them.',
  readOnly: 'Read-only: a shell is opened only where the profile says ssh.read_only = true.',
} as const;

/** The program and the user where the profile names none. */
const usual = { run: ['ssh', '{user}@{address}'], user: 'root', address: 'public' } as const;

/** The names in braces that are filled in. */
export const shellPlaceholders = ['user', 'address', 'label', 'id'] as const;

/**
 * The shell on a server by the profile's `ssh`: of what `when` says, the first whose filter finds the server counts.
 * Returns a sentence where there is none: no such address, or a value that a program would take for an option.
 */
export function shellOn(config: SshConfig, row: Row, view: CacheView): Shell | { why: string } {
  const servers = resourceNamed('servers');
  const label = servers.label(row);
  const special = config?.when.find(({ where }) => {
    const filter = parseFilter(where, servers.columns, view);
    return 'matches' in filter && filter.matches(row);
  });
  const { run, user, address: kind } = { ...usual, ...defined(config), ...defined(special) };
  const address = addressOf(row, kind);
  if (address === undefined) return { why: `${label} has no ${kindWords[kind]} to log in to.` };
  const values: Readonly<Record<string, string>> & Record<(typeof shellPlaceholders)[number], string> = {
    user,
    address,
    label,
    id: String(row[servers.id]),
  };
  const argv = run.map((word) => replaced(word, (name) => values[name] ?? `{${name}}`));
  for (const [index, word] of argv.entries()) {
    const odd = oddity(word, run[index] ?? '');
    if (odd !== undefined)
      return { why: `${run[index]} would become ${visibleJson(word)} for this server${odd}; nothing was run.` };
  }
  return { argv, user, address, id: values.id, label };
}

const kindWords = { public: 'public IPv4 address', private: 'private IPv4 address', ipv6: 'IPv6 address' } as const;

/** Without what is undefined, which would take the place of what is before it. */
const defined = <T extends object>(some: T | undefined): Partial<T> =>
  Object.fromEntries(Object.entries(some ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The first address of this kind; only texts that are addresses count. */
function addressOf({ ipv4, ipv6 }: Row, kind: keyof typeof kindWords): string | undefined {
  if (kind === 'ipv6') return [ipv6].map((text) => String(text ?? '').replace(/\/\d+$/, '')).find(isIpv6);
  const all = Array.isArray(ipv4) ? ipv4.filter((one): one is string => typeof one === 'string' && isIpv4(one)) : [];
  return all.find((one) => isPrivateAddress(one) === (kind === 'private'));
}

/** Says why an argument with a value of the API in it must not be, as the end of a clause: it is an option, or unprintable. */
function oddity(word: string, template: string): string | undefined {
  if (word === '') return '';
  if (/[\0-\x1f\x7f-\x9f]/.test(word)) return ', which holds a control character';
  return word.startsWith('-') && !template.startsWith('-') ? ', which a program may take for an option' : undefined;
}
