import type { Api } from '../../api/client.ts';
import { redacted } from '../../api/redact.ts';
import { compareIds } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Domain } from '../../resources/networking/domainActions.ts';
import type { DomainRecord } from '../../resources/networking/recordRules.ts';
import { zoneFileOf } from '../../resources/networking/zoneLine.ts';
import { type CacheView, type Column, type Resource, type Row, textsOf } from '../../resources/resource.ts';
import { clean } from '../../text/cells.ts';
import { csv } from '../../text/csv.ts';
import { visibleJson } from '../../text/escapes.ts';
import { textIn, textOf } from '../../text/words.ts';
import { valueIn } from '../filter/fields.ts';
import { type Shell, type SshConfig, shellOn } from '../ssh.ts';
import { type CodeFormatName, codeFormatNames, formatRows } from './formatNames.ts';
import { type ExportedRows, importBlocks, nameOf, terraformResources, uniqueNames } from './terraform.ts';

/** Rows as other programs take them. */
interface CodeFormat {
  /** Its name in a menu. */
  title: string;
  /** The end of the name of its file. */
  ending: string;
  /** Before a remark. */
  comment?: string;
  write(parts: readonly ExportedRows[], how: Export): string;
}

/** The parts of an export that its rows do not have. */
export interface Export {
  view: CacheView;
  ssh: SshConfig;
  /** Before the kinds of Terraform's provider. */
  prefix: string;
  /** When, from which API and by which filter, as one line. */
  made: string;
}

/** The formats by name. */
export const codeFormats: Readonly<Record<CodeFormatName, CodeFormat>> = {
  'terraform-import': {
    title: 'Import blocks of Terraform',
    ending: 'tf',
    comment: '#',
    write: (parts, { prefix, view }) => importBlocks(parts, prefix, view),
  },
  ansible: {
    title: 'Inventory of Ansible',
    ending: 'yml',
    comment: '#',
    write: (parts, how) => ansibleInventory(hostsOf(parts, how).map(asInventoryHost)),
  },
  prometheus: {
    title: 'Targets of Prometheus',
    ending: 'targets.json',
    write: (parts, how) => prometheusTargets(hostsOf(parts, how), how.made),
  },
  'ssh-config': {
    title: 'Hosts of ssh',
    ending: 'ssh',
    comment: '#',
    write: (parts, how) => sshConfig(hostsOf(parts, how)),
  },
  zone: { title: 'Zone files', ending: 'zone', comment: ';', write: zones },
};

/** The formats that take the rows of a resource. */
export const formatsFor = (resource: string): readonly CodeFormatName[] =>
  codeFormatNames.filter(
    (name) => (formatRows[name] ?? terraformResources.find((one) => one === resource)) === resource,
  );

/** The word before the kinds of Terraform's provider: the API's own for a server. */
export const prefixOf = (api: Pick<Api, 'translated'>): string =>
  Object.keys(api.translated({ server_id: 0 }) as Row)[0]?.replace(/_id$/, '') ?? 'server';

/** Rows in a format, the same text for the same rows but for the line that says when it was made. */
export function codeText(name: CodeFormatName, parts: readonly ExportedRows[], how: Export): string {
  const { comment, write } = codeFormats[name];
  const text = write(parts.map(inOrder), how);
  return comment ? `${comment} ${clean(how.made, Number.POSITIVE_INFINITY)}\n\n${text}` : text;
}

/** The rows by label and id, whatever the order of the API. */
function inOrder({ resource: name, lists }: ExportedRows): ExportedRows {
  const { label, id } = resourceNamed(name);
  const compare = (one: Row, other: Row) =>
    label(one) < label(other) ? -1 : label(one) > label(other) ? 1 : compareIds(one[id], other[id]);
  const key = (params: object) => Object.values(params).join('/');
  return {
    resource: name,
    lists: lists
      .map(({ params, rows }) => ({ params, rows: rows.toSorted(compare) }))
      .toSorted((one, other) => key(one.params).localeCompare(key(other.params), 'en', { numeric: true })),
  };
}

function zones(parts: readonly ExportedRows[], { view }: Export): string {
  const domains = parts.flatMap(({ lists }) => lists.flatMap(({ rows }) => rows as readonly Domain[]));
  const texts = domains.map((domain) => {
    const name = clean(textOf(domain.domain), Number.POSITIVE_INFINITY);
    if (domain.type === 'slave') return `; ${name} is a slave, so its records are those of its masters.\n`;
    const under = { domainId: String(domain.id) };
    if (!view.isRead('records', under)) return `; The records of ${name} were not read.\n`;
    return zoneFileOf(domain, view.rows('records', under) as readonly DomainRecord[]);
  });
  return texts.join('\n');
}

/** A server as other programs reach it, or why they cannot, as a sentence. */
type Host = Reached | { why: string };

interface Reached extends Pick<Shell, 'address' | 'user' | 'argv' | 'label'> {
  row: Row;
}

const isReached = (host: Host): host is Reached => 'row' in host;

/** The servers in the order of their labels, with the address at which `S` logs in to them. */
function hostsOf(parts: readonly ExportedRows[], { ssh, view }: Export): readonly Host[] {
  const rows = parts.flatMap(({ lists }) => lists.flatMap((list) => list.rows));
  const seen = new Set<string>();
  return rows.map((row): Host => {
    const shell = shellOn(ssh, row, view);
    if ('why' in shell) return shell;
    const { label } = shell;
    // Blanks, wildcards, ranges and signs of negation mean more in the files of others.
    if (!/^[A-Za-z0-9_][\w.-]*$/.test(label)) return { why: `${visibleJson(label)} cannot be the name of a host.` };
    if (seen.has(label)) return { why: `${label} is the name of another server, too.` };
    seen.add(label);
    return { ...shell, row };
  });
}

/** The fields that are told of each server; only those of one word, as Ansible fills in templates. */
const facts = ['region', 'type', 'image', 'group'] as const;

const isPlain = (text: string): boolean => /^[\w./:@+-]+$/.test(text);

/** The names that Ansible has for all hosts, those without a group, and the machine that it runs on. */
const ansibleNames: ReadonlySet<string> = new Set(['all', 'ungrouped', 'localhost']);

const asInventoryHost = (host: Host): Host =>
  isReached(host) && ansibleNames.has(host.label) ? { why: `${host.label} is a name that Ansible has itself.` } : host;

/** An inventory of Ansible in YAML, with groups by tag, region and type; strings are in quotes. */
function ansibleInventory(hosts: readonly Host[]): string {
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
  const without = hosts.flatMap((host) => ('why' in host ? [`# ${host.why}`] : []));
  return `${[...without, ...lines].join('\n')}\n`;
}

/** The port of Prometheus' own exporter for machines. */
const exporterPort = 9100;

/** Targets for Prometheus' `file_sd_configs` in JSON; the labels are of the server, and one for each of its tags. */
function prometheusTargets(hosts: readonly Host[], made: string): string {
  const targets = hosts.filter(isReached).map(({ address, label, row }, nth) => {
    const tags = textsOf(row.tags);
    const told = [...facts].flatMap((name) => (textIn(row[name]) ? [[name, String(row[name])]] : []));
    return {
      targets: [`${address.includes(':') ? `[${address}]` : address}:${exporterPort}`],
      labels: {
        server: label,
        ...Object.fromEntries(told),
        tags: tags.length > 0 ? `,${tags.join(',')},` : '',
        ...Object.fromEntries(tags.map((tag) => [nameOf(`tag_${tag}`), tag])),
        // Labels of this kind are dropped once targets are relabelled; one of them says it for the file.
        ...(nth === 0 && { __meta_made: made }),
      },
    };
  });
  return `${visibleJson(targets, 2)}\n`;
}

const sshConfig = (hosts: readonly Host[]): string =>
  hosts
    .map((host) =>
      'why' in host
        ? `# ${host.why}\n`
        : `Host ${host.label}\n  HostName ${host.address}\n  User ${host.user}\n${optionLines(host.argv)}`,
    )
    .join('\n');

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

export const exportFormats = ['csv', 'json'] as const;

/**
 * Rows of a list as a file has them, like a snapshot: as CSV with its columns, as JSON whole; without secrets.
 * @param takenAt when the oldest of them was read, where an earlier session did that
 */
export function exportText(
  format: (typeof exportFormats)[number],
  { name }: Resource,
  columns: readonly Column[],
  rows: readonly Row[],
  view: CacheView,
  takenAt = view.now,
): string {
  const whole = rows.map((row) => redacted(row) as Row);
  if (format === 'json')
    return `${visibleJson({ area: name, takenAt: new Date(takenAt).toISOString(), rows: whole }, 2)}\n`;
  const read = columns.map((column) => ({ title: column.title, value: (row: Row) => valueIn(row, column, view) }));
  return csv(read, whole);
}
