import type { Api } from '../../api/client.ts';
import { compareIds } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Domain } from '../../resources/networking/domainActions.ts';
import type { DomainRecord } from '../../resources/networking/recordRules.ts';
import { zoneFileOf } from '../../resources/networking/zoneLine.ts';
import type { CacheView, Row } from '../../resources/resource.ts';
import { clean } from '../../text/cells.ts';
import type { SshConfig } from '../ssh.ts';
import { type CodeFormatName, codeFormatNames, formatRows } from './formatNames.ts';
import { ansibleInventory, hostsOf, prometheusTargets, sshConfig } from './hosts.ts';
import { type ExportedRows, importBlocks, terraformResources } from './terraform.ts';

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
  /** When, whence and by which filter, as one line. */
  made: string;
}

const hosts = (parts: readonly ExportedRows[], { ssh, view }: Export) =>
  hostsOf(
    parts.flatMap(({ lists }) => lists.flatMap(({ rows }) => rows)),
    ssh,
    view,
  );

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
    write: (parts, how) => ansibleInventory(hosts(parts, how)),
  },
  prometheus: {
    title: 'Targets of Prometheus',
    ending: 'targets.json',
    write: (parts, how) => prometheusTargets(hosts(parts, how), how.made),
  },
  'ssh-config': {
    title: 'Hosts of ssh',
    ending: 'ssh',
    comment: '#',
    write: (parts, how) => sshConfig(hosts(parts, how)),
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

/** Rows in a format, the same text for the same rows. */
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
    const name = clean(domain.domain, Number.POSITIVE_INFINITY);
    if (domain.type === 'slave') return `; ${name} is a slave, so its records are those of its masters.\n`;
    const under = { domainId: String(domain.id) };
    if (!view.isRead('records', under)) return `; The records of ${name} were not read.\n`;
    return zoneFileOf(domain, view.rows('records', under) as readonly DomainRecord[]);
  });
  return texts.join('\n');
}
