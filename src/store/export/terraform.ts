import { idIn, isPlaceholderId, paramsOf } from '../../resources/identity.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { ResourceName } from '../../resources/names.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import type { CacheView, LoadedList, Row } from '../../resources/resource.ts';
import { visibleJson } from '../../text/escapes.ts';

/** A text as a name of letters, digits and these signs; it begins with a letter or `_`. */
export function nameOf(text: string, others = ''): string {
  const name = text.normalize('NFKD').replace(new RegExp(`[^A-Za-z0-9_${others}]+`, 'g'), '_');
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/** Names by what they stand for; of several that would be called the same, each is told apart by its own mark. */
export function uniqueNames<T>(items: readonly T[], nameIn: (item: T) => string, markOf: (item: T) => string) {
  const called = Map.groupBy(items, nameIn);
  const names = new Map<T, string>();
  const taken = new Set(called.keys());
  for (const [name, those] of called)
    for (const item of those) {
      let own = those.length > 1 ? nameOf(`${name}_${markOf(item)}`, '-') : name;
      while (those.length > 1 && taken.has(own)) own += '_';
      taken.add(own);
      names.set(item, own);
    }
  return (item: T): string => names.get(item) ?? '';
}

/** The provider's kinds behind its prefix. Each is imported by the ids of its path, as its documentation says. */
const kinds: Partial<Record<ResourceName, { kind: string; separator?: string; isOwn?: (row: Row) => boolean }>> = {
  servers: { kind: 'instance' },
  configs: { kind: 'instance_config' },
  disks: { kind: 'instance_disk' },
  volumes: { kind: 'volume' },
  images: { kind: 'image', isOwn: ({ is_public }) => is_public !== true },
  stackscripts: { kind: 'stackscript', isOwn: ({ mine }) => mine !== false },
  domains: { kind: 'domain' },
  records: { kind: 'domain_record' },
  nodebalancers: { kind: 'nodebalancer' },
  'nodebalancer-configs': { kind: 'nodebalancer_config' },
  'nodebalancer-nodes': { kind: 'nodebalancer_node' },
  buckets: { kind: 'object_storage_bucket', separator: ':' },
};

/** The resources that the provider has a kind for, parents first. */
export const terraformResources = Object.keys(kinds) as readonly ResourceName[];

/** The rows of a resource that are exported. */
export interface ExportedRows {
  resource: string;
  lists: readonly Pick<LoadedList, 'params' | 'rows'>[];
}

/** A block for each row of a resource that the provider has a kind for, which `terraform plan -generate-config-out=FILE` takes. */
export function importBlocks(parts: readonly ExportedRows[], prefix: string, view: CacheView): string {
  const texts = parts.flatMap((part) => {
    const rows = rowsOf(part);
    const kind = kinds[part.resource as ResourceName];
    if (!kind) return [];
    const blockName = uniqueNames(
      rows,
      (row) => rowName(part.resource, row, view),
      ({ ids }) => ids.join('_'),
    );
    return rows
      .filter(({ row }) => kind.isOwn?.(row) ?? true)
      .map((row) => {
        const id = row.ids.join(kind.separator ?? ',');
        if (row.ids.some(isPlaceholderId)) return `# ${visibleJson(row.label)} has no id, so it cannot be imported.\n`;
        // Nothing in quotes is a template (the syntax of Terraform, strings and templates).
        return `import {\n  to = ${prefix}_${kind.kind}.${blockName(row)}\n  id = ${visibleJson(id).replace(/[$%](?=\{)/g, '$&$&')}\n}\n`;
      });
  });
  return texts.join('\n');
}

interface NamedRow extends Pick<LoadedList, 'params'> {
  row: Row;
  label: string;
  ids: readonly string[];
}

/** The rows of all lists by the labels of their parents and their own. */
const rowsOf = ({ resource: name, lists }: ExportedRows): readonly NamedRow[] => {
  const resource = resourceNamed(name);
  return lists.flatMap(({ params, rows }) =>
    rows.map((row) => ({
      row,
      params,
      label: resource.label(row),
      ids: Object.values(paramsOf(resource, row, params)),
    })),
  );
};

function rowName(name: string, { params, label }: NamedRow, view: CacheView): string {
  const parents = ancestorsOf(resourceNamed(name)).toReversed();
  const above = parents.map((parent) => {
    const id = idIn(parent, params) ?? '';
    const row = view.row(parent.name, id, params);
    return row ? parent.label(row) : id;
  });
  return nameOf([...above, label].join('_'), '-');
}
