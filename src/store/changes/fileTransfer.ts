import { at, type FileTransfer, type Row } from '../../resources/resource.ts';
import { plural } from '../../resources/wording.ts';
import type { Stores } from '../stores.ts';
import type { Change } from './change.ts';

/** The end of a transfer, as a notice. */
interface TransferEnd {
  tone: 'good' | 'plain' | 'bad';
  says: string;
}

/** Shows notices of how transfers end: one of several deletions, one of each that does not succeed. */
export async function tellEnds(
  { notices }: Stores,
  { resource }: Pick<Change, 'resource'>,
  ends: readonly Promise<TransferEnd>[],
): Promise<void> {
  const [first, ...others] = await Promise.all(ends);
  if (!first) return;
  const all = [first, ...others];
  const good = all.filter(({ tone }) => tone === 'good');
  if (good.length > 1) notices.say('good', `${good.length} ${plural(resource)} are deleted.`);
  for (const { tone, says } of good.length > 1 ? all.filter((one) => !good.includes(one)) : all)
    notices.say(tone, says);
}

/** Uploads, downloads or deletes the file of a change at the address in its answer. */
export async function transferFile(
  stores: Stores,
  described: FileTransfer,
  change: Change,
  answer: Row,
): Promise<TransferEnd> {
  const { scheduler, transfers } = stores;
  const { label, resource } = change;
  const address = at(answer, described.address);
  if (typeof address !== 'string')
    return { tone: 'bad', says: `The API gave no address for ${label}, so nothing was done; try again.` };
  const { what, move, success } = transferOf(stores, described, change, address);
  const { state, error = '' } = await transfers.start(what, move);
  const missed = described.way === 'upload' && described.missed ? ` ${described.missed}` : '';
  if (described.way !== 'download') scheduler.invalidate((_, rowsOf) => rowsOf === resource.name);
  if (state === 'done') return { tone: 'good', says: success };
  return state === 'cancelled'
    ? { tone: 'plain', says: `${what}: cancelled.${missed}` }
    : { tone: 'bad', says: error + missed };
}

function transferOf(
  { api, files }: Stores,
  described: FileTransfer,
  change: Change,
  address: string,
): { what: string; move: Parameters<Stores['transfers']['start']>[1]; success: string } {
  const { label, body, file = '' } = change;
  if (described.way === 'delete') {
    return {
      what: `Delete ${label}`,
      move: ({ signal }) => api.files.remove(address, signal, change),
      success: `${label} is deleted.`,
    };
  }
  const path = files.resolve(file);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (described.way === 'download') {
    return {
      what: `Download ${name}`,
      move: (options) => api.files.download(address, path, options),
      success: `Downloaded to ${path}; only you can read it.`,
    };
  }
  const type = described.contentType === undefined ? undefined : at(body, described.contentType);
  const contentType = typeof type === 'string' ? type : undefined;
  return {
    what: `Upload ${name}`,
    move: (options) => api.files.upload(address, path, { ...options, contentType, change }),
    success: [`${name} is uploaded.`, described.arrived].filter(Boolean).join(' '),
  };
}
