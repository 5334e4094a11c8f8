import { at, type Draft, type FileTransfer, type Resource, type Row } from '../../resources/resource.ts';
import type { Ended } from '../../store/changes/transfers.ts';
import type { Deck } from '../../store/deck.ts';

/** A file that is carried, and the answer of the API to the action. */
interface Errand {
  resource: Resource;
  carries: FileTransfer;
  draft: Draft;
  /** The body sent to the API. */
  sent: unknown;
  answer: Row;
  /** Names the row that it was done to. */
  label: string;
}

/** Does to a file elsewhere what an action was about, at the address that it was answered, and says what became of it. */
export async function carryFile(deck: Deck, errand: Errand): Promise<void> {
  const { carries, answer, label, resource } = errand;
  const address = at(answer, carries.address);
  if (typeof address !== 'string') {
    deck.notices.say('bad', `The API gave no address for ${label}, so nothing was done; try again.`);
    return;
  }
  const { what, carry, success } = carriageOf(deck, errand, address);
  const end = await deck.transfers.start(what, carry);
  tell(deck, end, what, success, carries.way === 'upload' ? carries.missed : undefined);
  if (carries.way !== 'download') deck.refresher.invalidate((_question, rowsOf) => rowsOf === resource.name);
}

function tell({ notices }: Deck, end: Ended, what: string, success: string, missed?: string): void {
  const say = (tone: 'good' | 'plain' | 'bad', ...sentences: readonly (string | undefined)[]) =>
    notices.say(tone, sentences.filter(Boolean).join(' '));
  if (end.state === 'done') say('good', success);
  else if (end.state === 'cancelled') say('plain', `${what}: cancelled.`, missed);
  else say('bad', end.error, missed);
}

interface Carried {
  what: string;
  carry: Parameters<Deck['transfers']['start']>[1];
  success: string;
}

function carriageOf({ api, files }: Deck, { carries, draft, sent, label }: Errand, address: string): Carried {
  if (carries.way === 'delete') {
    return {
      what: `Delete ${label}`,
      carry: ({ signal }) => api.files.erase(address, signal),
      success: `${label} is deleted.`,
    };
  }
  const path = files.resolve(String(draft[carries.file] ?? ''));
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (carries.way === 'download') {
    return {
      what: `Download ${name}`,
      carry: (options) => api.files.download(address, path, options),
      success: `Downloaded to ${path}; only you can read it.`,
    };
  }
  const type = carries.contentType === undefined ? undefined : at(sent, carries.contentType);
  const contentType = typeof type === 'string' ? type : undefined;
  return {
    what: `Upload ${name}`,
    carry: (options) => api.files.upload(address, path, { ...options, contentType }),
    success: [`${name} is uploaded.`, carries.arrived].filter(Boolean).join(' '),
  };
}
