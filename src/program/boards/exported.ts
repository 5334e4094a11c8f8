import type { Api } from '../../api/client.ts';
import { resourceNamed } from '../../resources/index.ts';
import { ancestorsOf } from '../../resources/relations.ts';
import type { Params, Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import { type CodeFormatName, formatRows } from '../../store/export/formatNames.ts';
import { codeText, type Export, prefixOf } from '../../store/export/formats.ts';
import { type ExportedRows, terraformResources } from '../../store/export/terraform.ts';
import { listed, uncapitalized } from '../../text/words.ts';
import { areas } from '../areas.ts';
import type { BoardDocument } from '../document.ts';
import { UsageError } from '../rules.ts';
import type { SnapshotReader } from '../snapshotReader.ts';

/** The format of an export, and the parts that its rows do not have. */
export interface ExportOptions extends Pick<Export, 'ssh' | 'made'> {
  format: CodeFormatName;
  /** Before the kinds of Terraform's provider, in place of the API's own word. */
  prefix?: string;
}

/**
 * Reads the rows of an area, of those that the format has, or of all, with what lies under them, as a text.
 * Throws a UsageError where the format has no such rows.
 * @param area the area that is named
 * @param rowsOf reads the rows of an area, by its filter; undefined where they cannot be read
 */
export async function exported(
  api: Api,
  reader: SnapshotReader,
  { format, ssh, made, prefix = prefixOf(api) }: ExportOptions,
  area: string | undefined,
  rowsOf: (area: string) => Promise<readonly Row[] | undefined>,
): Promise<BoardDocument> {
  const fit = formatRows[format];
  const those = fit === undefined ? terraformResources.filter((name) => !resourceNamed(name).under) : [fit];
  const names = those.map((name) => plural(resourceNamed(name)));
  if (area !== undefined && !those.some((name) => name === area))
    throw new UsageError(
      `--format ${format} has rows of ${listed(names, names.length)}${those.length > 1 ? ', with what lies under them' : ''}, not of ${area}.`,
    );
  const parts: ExportedRows[] = [];
  for (const name of area === undefined ? those : [area]) {
    const rows = await rowsOf(name);
    const below = terraformResources.filter((one) => ancestorsOf(resourceNamed(one)).some((up) => up.name === name));
    const { id, param } = resourceNamed(name);
    const ids = new Set(rows?.map((row) => String(row[id])));
    const isUnder = (params: Params) => ids.has(params[param] ?? '');
    // Hosts have nothing under them that is exported.
    for (const one of fit === 'servers' ? [] : below) await reader.readBelow(one, isUnder);
    parts.push({ resource: name, lists: [{ params: {}, rows: rows ?? [] }] });
    if (fit === undefined)
      for (const one of below)
        parts.push({ resource: one, lists: reader.cache.lists(one).filter(({ params }) => isUnder(params)) });
  }
  const left = area === undefined && fit === undefined ? leftOut() : '';
  return { sections: [], rows: [], code: codeText(format, parts, { view: reader.cache, ssh, made, prefix }) + left };
}

/** A remark that names the areas whose rows can be made but not imported. */
function leftOut(): string {
  const left = areas.filter(({ name, create }) => create && !terraformResources.some((one) => one === name));
  const names = left.map((one) => uncapitalized(plural(one)));
  return `\n# Left out, as the provider has no resource for them or cannot import it: ${names.join(', ')}.\n`;
}
