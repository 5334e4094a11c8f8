import { at, type FileTransfer, type Row } from '../../resources/resource.ts';
import type { Stores } from '../stores.ts';
import type { Change } from './change.ts';

type FileStores = Pick<Stores, 'api' | 'files' | 'notices' | 'scheduler' | 'transfers'>;

/** Uploads, downloads or deletes the file of a change at the address in its answer, and shows a notice of the result. */
export async function transferFile(
  stores: FileStores,
  described: FileTransfer,
  change: Change,
  answer: Row,
): Promise<void> {
  const { notices, scheduler, transfers } = stores;
  const { label, resource } = change;
  const address = at(answer, described.address);
  if (typeof address !== 'string') {
    notices.say('bad', `The API gave no address for ${label}, so nothing was done; try again.`);
    return;
  }
  const { what, move, success } = transferOf(stores, described, change, address);
  const { state, error = '' } = await transfers.start(what, move);
  const missed = described.way === 'upload' && described.missed ? ` ${described.missed}` : '';
  if (state === 'done') notices.say('good', success);
  else if (state === 'cancelled') notices.say('plain', `${what}: cancelled.${missed}`);
  else notices.say('bad', error + missed);
  if (described.way !== 'download') scheduler.invalidate((_, rowsOf) => rowsOf === resource.name);
}

function transferOf(
  { api, files }: FileStores,
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
