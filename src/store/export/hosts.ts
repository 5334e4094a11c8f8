import type { CacheView, Row } from '../../resources/resource.ts';
import { textsOf } from '../../resources/row.ts';
import { visibleJson } from '../../text/escapes.ts';
import { textIn } from '../../text/words.ts';
import { type Shell, type SshConfig, shellOn } from '../ssh.ts';
import { nameOf, uniqueNames } from './named.ts';

/** A server as other programs reach it, or why they cannot, as a sentence. */
type Host = Reached | { why: string };

interface Reached extends Pick<Shell, 'address' | 'user' | 'argv' | 'label'> {
  row: Row;
}

const isReached = (host: Host): host is Reached => 'row' in host;

/** A label that is one word: blanks, wildcards, ranges and signs of negation mean more in the files of others. */
const isHostName = (label: string): boolean => /^[A-Za-z0-9_][\w.-]*$/.test(label);

/** The servers in the order of their labels, with the address at which `S` logs in to them. */
export function hostsOf(rows: readonly Row[], ssh: SshConfig, view: CacheView): readonly Host[] {
  const seen = new Set<string>();
  return rows.map((row): Host => {
    const shell = shellOn(ssh, row, view);
    if ('why' in shell) return shell;
    const { label } = shell;
    if (!isHostName(label)) return { why: `${visibleJson(label)} cannot be the name of a host.` };
    if (seen.has(label)) return { why: `${label} is the name of another server, too.` };
    seen.add(label);
    return { ...shell, row };
  });
}

/** The fields that are told of each server; only those of one word, as Ansible fills in templates. */
const facts = ['region', 'type', 'image', 'group'] as const;

const isPlain = (text: string): boolean => /^[\w./:@+-]+$/.test(text);

/** An inventory of Ansible in YAML, with groups by tag, region and type; strings are in quotes. */
export function ansibleInventory(hosts: readonly Host[]): string {
  const reached = hosts.filter(isReached);
  const groups = [
    ...reached.flatMap((host) => textsOf(host.row.tags).map((tag) => ({ kind: 'tag', of: tag, host }))),
    ...(['region', 'type'] as const).flatMap((kind) =>
      reached.flatMap((host) => {
        const of = textIn(host.row[kind]);
        return of ? [{ kind, of, host }] : [];
      }),
    ),
  ];
  const byGroup = [...Map.groupBy(groups, ({ kind, of }) => `${kind}\n${of}`).values()];
  const groupName = uniqueNames(
    byGroup,
    ([one]) => nameOf(`${one?.kind}_${one?.of}`),
    (those) => String(byGroup.indexOf(those) + 1),
  );
  const lines = [
    'all:',
    `  hosts:${reached.length === 0 ? ' {}' : ''}`,
    ...reached.flatMap(({ label, address, user, row }) => [
      `    ${JSON.stringify(label)}:`,
      `      ansible_host: ${JSON.stringify(address)}`,
      ...(isPlain(user) ? [`      ansible_user: ${JSON.stringify(user)}`] : []),
      ...facts.flatMap((name) => {
        const text = textIn(row[name]);
        return text && isPlain(text) ? [`      cloud_${name}: ${JSON.stringify(text)}`] : [];
      }),
    ]),
    ...(byGroup.length === 0 ? [] : ['  children:']),
    ...byGroup.flatMap((those) => [
      `    ${groupName(those)}:`,
      '      hosts:',
      ...those.map(({ host }) => `        ${JSON.stringify(host.label)}: {}`),
    ]),
  ];
  return `${[...without(hosts), ...lines].join('\n')}\n`;
}

/** The port of Prometheus' own exporter for machines. */
const exporterPort = 9100;

/** Targets for Prometheus' `file_sd_configs` in JSON; the labels are of the server, and one for each of its tags. */
export function prometheusTargets(hosts: readonly Host[], made: string): string {
  const targets = hosts.filter(isReached).map(({ address, label, row }) => {
    const tags = textsOf(row.tags);
    const told = [...facts].flatMap((name) => (textIn(row[name]) ? [[name, String(row[name])]] : []));
    return {
      targets: [`${address.includes(':') ? `[${address}]` : address}:${exporterPort}`],
      labels: {
        server: label,
        ...Object.fromEntries(told),
        tags: tags.length > 0 ? `,${tags.join(',')},` : '',
        ...Object.fromEntries(tags.map((tag) => [nameOf(`tag_${tag}`), tag])),
        // Labels of this kind are dropped once targets are relabelled.
        __meta_made: made,
      },
    };
  });
  return `${visibleJson(targets, 2)}\n`;
}

/** The servers as ssh's own configuration names them. */
export const sshConfig = (hosts: readonly Host[]): string =>
  hosts
    .map((host) =>
      'why' in host
        ? `# ${host.why}\n`
        : `Host ${host.label}\n  HostName ${host.address}\n  User ${host.user}\n${optionLines(host.argv)}`,
    )
    .join('\n');

const without = (hosts: readonly Host[]) => hosts.flatMap((host) => ('why' in host ? [`# ${host.why}`] : []));

/** The options of ssh that take a value, and the names of some in its configuration. */
const withValue = 'BbcDEeFIiJLlmOopQRSWw';
const configNames: Readonly<Record<string, string>> = { p: 'Port', J: 'ProxyJump', i: 'IdentityFile' };

/** The options before the destination in the profile's own call of ssh, as lines of its configuration. */
function optionLines([program = '', ...words]: readonly string[]): string {
  if (!/(?:^|[\\/])ssh$/.test(program)) return '';
  let lines = '';
  for (let at = 0; words[at]?.startsWith('-'); at++) {
    const [, letter = '', joined] = /^-(\w)(.*)$/.exec(words[at] ?? '') ?? [];
    if (!withValue.includes(letter)) continue;
    const value = joined || (words[++at] ?? '');
    const [, name = configNames[letter], text = value] = (letter === 'o' && /^(\w+)[= ](.+)$/.exec(value)) || [];
    if (name !== undefined && /^[\w@.:,%~/+-]+$/.test(text)) lines += `  ${name} ${text}\n`;
  }
  return lines;
}
