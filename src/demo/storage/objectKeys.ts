import type { Row } from '../../resources/resource.ts';
import type { ObjectKey as ObjectKeyRow } from '../../resources/storage/objectKeys.ts';
import { type Cloud, perCloud, type Stored } from '../engine/cloud.ts';
import { type FieldError, HttpError, invalid } from '../engine/errors.ts';
import { assignFields, type Call, collection } from '../engine/handler.ts';
import { type Random, randomFrom } from '../engine/random.ts';
import { bucketsOf } from './buckets.seed.ts';

type Grant = NonNullable<Key['bucket_access']>[number];

type Key = Stored<ObjectKeyRow>;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

const word = (random: Random, length: number, choices: string) =>
  Array.from({ length }, () => choices[random.integer(0, choices.length - 1)]).join('');

const accessKey = (random: Random) => word(random, 20, letters.replace(/[a-z]/g, ''));

const grant = (place: string, permissions: 'read_write' | 'read_only'): Grant => {
  const [cluster = '', bucket_name = ''] = place.split('/');
  return { bucket_name, cluster, permissions };
};

const initialKeys: readonly Pick<Key, 'label' | 'bucket_access'>[] = [
  {
    label: 'deploy-assets',
    bucket_access: [grant('eu-central-1/assets', 'read_write'), grant('us-east-1/assets', 'read_write')],
  },
  { label: 'nightly-dumps', bucket_access: [grant('us-east-1/db-backups', 'read_write')] },
  {
    label: 'analytics',
    bucket_access: [grant('eu-central-1/sensor-archive', 'read_only'), grant('us-east-1/db-backups', 'read_only')],
  },
  { label: 'old-laptop', bucket_access: null },
  { label: 'inventory', bucket_access: [] },
];

const keysOf = perCloud(({ options }): Map<number, Key> => {
  const random = randomFrom(options.seed, 7100);
  return new Map(
    initialKeys.map((key, place) => {
      const id = 48_100 + place * 13;
      return [id, { id, ...key, access_key: accessKey(random), limited: key.bucket_access !== null }];
    }),
  );
});

/** A key as it is answered: its secret is shown once, when it is made. */
const withSecret = (key: Key, secret: string): Row => ({ ...key, secret_key: secret });
const redacted = (key: Key): Row => withSecret(key, '[REDACTED]');

const { handlers } = collection<Key>('object-keys', { rows: keysOf, shown: redacted, remove: true, onRow: { edit } });

/** With bucket_access a key is limited to those buckets, with an empty one to none (document 3, 4.3, rule 5). */
function create({ body }: Call, cloud: Cloud): Row {
  const access = body.bucket_access ?? undefined;
  if (access !== undefined) checkAccess(access, cloud);
  const id = cloud.nextId();
  const random = randomFrom(cloud.options.seed, id);
  const key: Key = {
    id,
    label: String(body.label ?? ''),
    access_key: accessKey(random),
    limited: access !== undefined,
    bucket_access: access === undefined ? null : (access as readonly Grant[]),
  };
  keysOf(cloud).set(id, key);
  return withSecret(key, word(random, 40, letters));
}

/** @throws 400 with every complaint about a bucket_access */
function checkAccess(access: unknown, cloud: Cloud): void {
  if (!Array.isArray(access)) throw invalid('bucket_access', 'Must be of type Array');
  const errors = access.flatMap((one: Partial<Grant> | null, index) => {
    const complain = (field: keyof Grant, reason: string): FieldError => ({
      field: `bucket_access[${index}].${field}`,
      reason,
    });
    if (one === null || typeof one !== 'object')
      return [{ field: `bucket_access[${index}]`, reason: 'Must be of type Object' }];
    const { bucket_name, cluster, permissions } = one;
    const wrong: FieldError[] = [];
    if (permissions !== 'read_write' && permissions !== 'read_only')
      wrong.push(complain('permissions', 'Must be one of read_write, read_only'));
    if (typeof cluster !== 'string') wrong.push(complain('cluster', 'cluster is required'));
    if (typeof bucket_name !== 'string') wrong.push(complain('bucket_name', 'bucket_name is required'));
    if (wrong.length > 0 || bucketsOf(cloud).has(`${cluster}/${bucket_name}`)) return wrong;
    return [complain('bucket_name', 'There is no such bucket in this cluster.')];
  });
  if (errors.length > 0) throw new HttpError(400, errors);
}

function edit(key: Key, { body }: Call): Row {
  assignFields(key, body, 'label');
  return redacted(key);
}

/** Object storage keys (document 3, 4.3). */
export const objectKeys = handlers({ create });
