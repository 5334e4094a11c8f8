import type { ApiError } from '../../api/error.ts';
import { at, type Carriage, type Draft, type Resource, type Row } from '../../resources/resource.ts';
import type { Deck } from '../../store/deck.ts';

/** What is to be done to a file, and what the API answered to that. */
interface Errand {
  resource: Resource;
  carries: Carriage;
  draft: Draft;
  /** What was sent to the API. */
  sent: unknown;
  answer: Row;
  /** How the row is called that it was done to. */
  label: string;
}

/** Does to a file elsewhere what an action was about, at the address that it was answered, and says what became of it. */
export async function carryFile(deck: Deck, { resource, carries, draft, sent, answer, label }: Errand): Promise<void> {
  const { api, files, notices, transfers } = deck;
  const address = at(answer, carries.address);
  if (typeof address !== 'string') {
    notices.say('bad', `The API gave no address for ${label}, so nothing was done; try again.`);
    return;
  }
  if (carries.way === 'delete') {
    ended(
      await transfers.start(`Delete ${label}`, ({ signal }) => api.files.erase(address, signal)),
      `${label} is deleted.`,
    );
    return;
  }
  const path = files.resolve(String(draft[carries.file] ?? ''));
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (carries.way === 'download') {
    const error = await transfers.start(`Download ${name}`, (options) => api.files.download(address, path, options));
    ended(error, `Downloaded to ${path}; only you can read it.`);
    return;
  }
  const contentType = carries.contentType === undefined ? undefined : at(sent, carries.contentType);
  const error = await transfers.start(`Upload ${name}`, (options) =>
    api.files.upload(address, path, { ...options, ...(typeof contentType === 'string' && { contentType }) }),
  );
  ended(error, `${name} is uploaded.`);

  function ended(error: ApiError | undefined, success: string): void {
    if (!error) notices.say('good', success);
    else notices.say(error.kind === 'aborted' ? 'plain' : 'bad', error.message);
    if (carries.way !== 'download') deck.refresher.invalidate((_question, rowsOf) => rowsOf === resource.name);
  }
}
