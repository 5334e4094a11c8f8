import { keyLabel } from '../../text/keyLabel.ts';
import { textOf } from '../../text/words.ts';
import { type Action, type DescribedField, type Entry, type Resource, type Row, resource } from '../resource.ts';

const meanings = {
  private: 'only you',
  'public-read': 'everyone can read',
  'authenticated-read': 'every object storage user can read',
  'public-read-write': 'EVERYONE can read and write',
  custom: 'set by another tool',
};

/** The canned access lists (document 3, 2.6); `custom` is not there for new buckets. */
export const newBucketAcls = Object.keys(meanings).filter((acl) => acl !== 'custom');

/** Warns before a bucket or an object becomes public; undefined for other access lists. */
export function openingWarning(acl: Entry, called: string): string | undefined {
  if (acl === 'public-read') return `Everyone who knows its address can read ${called} from then on.`;
  return acl === 'public-read-write'
    ? `EVERYONE can read ${called} from then on, and also change and delete what is in it.`
    : undefined;
}

/** The condition under which `openingWarning` warns. */
export const opening = 'it makes it public';

/** The canned access list of a bucket or an object. */
export const aclField: DescribedField = { label: 'Access', optionHelp: meanings };

/** An object in a bucket, or a prefix that several share, which has nothing but its name (document 3, 4.3). */
type StoredObject = Row & {
  name: string;
  size: number | null;
  last_modified: string | null;
  etag: string | null;
  owner: string | null;
};

/** Whether an element of an object list stands for all objects that begin with its name. */
export const isPrefix = ({ size, etag, last_modified }: Row): boolean =>
  [size, etag, last_modified].every((value) => value === null || value === undefined);

/** The end of a name after its last slash but one: `photos/2024/` is `2024/`. */
const lastPart = (path: unknown): string => {
  const name = textOf(path);
  return name.slice(name.lastIndexOf('/', name.length - 2) + 1);
};

/** The longest file name that file systems take, in bytes. */
const longestName = 255;

/**
 * The name of a file for this object on this machine: the last part of its name, without invisible characters or
 * path segments that lead elsewhere; empty where no name is left.
 */
function fileNameOf(name: string): string {
  const part = lastPart(name).replace(/\/$/, '').toWellFormed();
  const visible = part.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, '_').trim();
  if (/^(?:~|\.{1,2})$/.test(visible)) return '';
  const { read } = new TextEncoder().encodeInto(visible, new Uint8Array(longestName));
  return visible.slice(0, read).trimEnd();
}

const bucket = '/v4/object-storage/buckets/{clusterId}/{bucket}';
const reading = 'object_storage:read_only';
const writing = 'object_storage:read_write';

const needsObject = (object: StoredObject) =>
  isPrefix(object)
    ? `${object.name} is a prefix, not an object; ${keyLabel('list.open', 'enter')} opens it`
    : undefined;

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  gz: 'application/gzip',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
  zip: 'application/zip',
};

/** The content type by the extension of a file name. */
export const contentTypeOf = (name: string): string =>
  types[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';

const contentType: DescribedField = {
  pattern: {
    test: /^[\w.+-]+\/[\w.+-]+(;.*)?$/,
    says: 'a type and a subtype with / between, e.g. image/png',
    whole: true,
  },
};

/** A pre-signed URL for an object (document 3, 4.3, rule 4). */
const signed: Pick<Action<StoredObject>, 'method' | 'path' | 'scope'> = {
  method: 'POST',
  path: `${bucket}/object-url`,
  scope: writing,
};

const objectName = (row: StoredObject | undefined) => row?.name ?? '';

/** The name of an uploaded file in its bucket; the file's own name is added where the name is empty or ends in a slash. */
function uploadedName(name: unknown, file: unknown): string {
  const own = String(file).slice(String(file).lastIndexOf('/') + 1);
  return /(^|\/)$/.test(String(name)) ? `${name}${own}` : String(name);
}

/** Objects (document 3, 4.3). */
export const objects: Resource = resource<StoredObject>()({
  name: 'objects',
  area: 'Storage',
  id: 'name',
  under: 'buckets',
  within: 'in bucket {}',
  empty: 'Objects are files. A bucket holds any number of them.',
  fields: {
    name: { min: 1 },
    acl: aclField,
    method: { optionHelp: { GET: 'read it', PUT: 'upload it, creating or replacing it', DELETE: 'delete it' } },
    content_type: contentType,
    expires_in: { kind: 'integer', min: 360, max: 68_400, unit: 'seconds', fallback: 3600, help: 'Also 10m or 2h.' },
  },
  columns: [
    { title: 'Name', value: 'name', keep: 1 },
    { title: 'Size', value: 'size', format: 'bytes', keep: 1 },
    { title: 'Modified', value: 'last_modified', format: 'age' },
    { title: 'Owner', value: 'owner', keep: 3 },
    { title: 'ETag', value: 'etag', keep: 3 },
  ],
  tabs: [{ title: 'Access', answer: 'acl' }],
  list: { path: `${bucket}/object-list`, scope: reading, query: ['prefix', 'delimiter'], pages: 'marker' },
  view: false,
  operations: { acl: { path: `${bucket}/object-acl`, scope: reading, query: ['name'] } },
  create: {
    ...signed,
    name: 'upload',
    help: 'Upload a file',
    body: ['file!', 'name', 'content_type'],
    fields: {
      file: { kind: 'file', local: true },
      name: { help: 'Its name in the bucket. If this is empty or ends in /, the name of the file is added.' },
      content_type: { ...contentType, help: 'If empty, derived from the name of the file.' },
    },
    start: (_row, _view, { prefix }) => ({ name: prefix ?? '' }),
    ask: {
      when: 'an object of this name is known',
      warning: (_row, view, draft, { clusterId = '', bucket = '' }) => {
        const name = uploadedName(draft.name ?? '', draft.file ?? '');
        const isThere = view.rows('objects', { clusterId, bucket }).some((object) => object.name === name);
        return isThere ? `Replaces the object ${name}, which cannot be recovered.` : undefined;
      },
      note: 'An object of the same name is replaced. You can keep working during the upload.',
    },
    send: ({ name = '', content_type }, { file = '' }) => {
      const whole = uploadedName(name, file);
      return { name: whole, method: 'PUT', content_type: content_type ?? contentTypeOf(whole) };
    },
    fileTransfer: { way: 'upload', file: 'file', address: 'url', contentType: 'content_type' },
    inverse: 'An object of this name, if there was one, is gone; delete the new one by hand.',
  },
  edit: {
    help: 'Set the access',
    on: 'Set the access to {}',
    path: `${bucket}/object-acl`,
    scope: writing,
    body: ['acl!'],
    prefill: 'acl',
    ask: {
      when: opening,
      warning: (object, _view, { acl }) => openingWarning(acl, objectName(object) || 'the object'),
    },
    refuse: needsObject,
    send: (body, _draft, row) => ({ ...body, name: objectName(row) }),
  },
  actions: [
    {
      ...signed,
      name: 'download',
      key: 'o',
      on: 'Download {} to a file',
      body: ['file!'],
      fields: {
        file: {
          kind: 'file',
          isNew: true,
          local: true,
          help: 'Where it is saved on this machine. Only you can read the file.',
        },
      },
      start: (row) => ({ file: fileNameOf(objectName(row)) }),
      refuse: needsObject,
      send: (_body, _draft, row) => ({ name: objectName(row), method: 'GET' }),
      fileTransfer: { way: 'download', file: 'file', address: 'url' },
      inverse: 'It changes nothing but a file of this machine.',
      single: true,
    },
    {
      ...signed,
      name: 'url',
      key: 'u',
      on: 'Make a pre-signed URL for {}',
      body: ['method!', 'content_type', 'expires_in'],
      fields: {
        content_type: {
          ...contentType,
          shown: ({ method }) => method === 'PUT',
          needed: ({ method }) => method === 'PUT',
          help: 'Whoever uses the URL must send exactly this as Content-Type.',
        },
      },
      start: () => ({ method: 'GET' }),
      refuse: needsObject,
      send: (body, _draft, row) => ({ ...body, name: objectName(row) }),
      secret: ['url'],
      ask: { note: 'Whoever has the URL can use it until it expires; it cannot be revoked.' },
      inverse: 'A pre-signed URL cannot be revoked.',
      single: true,
    },
  ],
  remove: {
    ...signed,
    refuse: needsObject,
    send: (_body, _draft, row) => ({ name: objectName(row), method: 'DELETE' }),
    fileTransfer: { way: 'delete', address: 'url' },
    ask: {
      warning: ({ name }) => `Deletes the object ${name}. This cannot be undone.`,
      together: 'Deletes these objects. This cannot be undone.',
    },
    inverse: 'The object is gone.',
  },
  copies: { name: ({ name }) => name },
});
