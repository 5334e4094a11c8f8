import type { Row } from '../../resources/resource.ts';
import type { Cloud } from '../engine/cloud.ts';
import { badRequest, invalid, notFound } from '../engine/errors.ts';
import { type Call, collection, handlersFor, page } from '../engine/handler.ts';
import { timestamp } from '../engine/time.ts';
import { type Bucket, bucketsOf, type Cluster, clusters, emptyBucket } from './buckets.seed.ts';

function shown({ label, cluster, created, objects }: Bucket): Row {
  return {
    label,
    cluster: cluster.id,
    region: cluster.region,
    hostname: `${label}.${cluster.domain}`,
    created: timestamp(created),
    size: objects.bytes,
    objects: objects.count,
  };
}

const inOrder = (buckets: readonly Bucket[]) => buckets.toSorted((one, other) => (one.label < other.label ? -1 : 1));

const { find, handlers } = collection<Bucket>('buckets', {
  rows: bucketsOf,
  id: ({ params }) => `${params.clusterId}/${params.bucket}`,
  listed: inOrder,
  shown,
  // A bucket must be emptied before it is removed (rule 2).
  remove: ({ objects }) => {
    if (objects.count > 0) throw badRequest('The bucket is not empty. Delete its objects first.');
  },
  onRow: {
    access,
    edit: setAccess,
    'modify-access': setAccess,
    certificate: ({ hasCertificate }) => ({ ssl: hasCertificate }),
    'upload-certificate': uploadCertificate,
    'delete-certificate': (bucket) => {
      if (!bucket.hasCertificate) throw notFound();
      bucket.hasCertificate = false;
    },
  },
});

/** The bucket of a path. @throws 404 when there is none */
export const bucketIn = find;

/** Bucket Create (document 3, 4.3, rule 1): a bucket that is there already is answered as if it were new. */
function create({ body }: Call, cloud: Cloud): Row {
  const cluster = clusters.find(({ id }) => id === body.cluster);
  if (!cluster) throw invalid('cluster', 'cluster is not valid');
  const label = String(body.label);
  const there = bucketsOf(cloud).get(`${cluster.id}/${label}`);
  if (there) return shown(there);
  if (cluster.status !== 'available') throw invalid('cluster', 'The cluster is not available now.');
  const bucket = emptyBucket(label, cluster, cloud.time);
  setAccess(bucket, { body });
  bucketsOf(cloud).set(`${cluster.id}/${label}`, bucket);
  return shown(bucket);
}

function setAccess(bucket: Bucket, { body: { acl, cors_enabled } }: Pick<Call, 'body'>): void {
  if (typeof acl === 'string') bucket.acl = acl;
  if (typeof cors_enabled === 'boolean') bucket.cors = cors_enabled;
}

function access({ acl, cors }: Bucket): Row {
  return {
    acl,
    acl_xml: aclXml(acl),
    cors_enabled: cors,
    cors_xml: cors
      ? '<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin></CORSRule></CORSConfiguration>'
      : '',
  };
}

/** An access list as storage hosts write it. */
export function aclXml(acl: string): string {
  const everyone = '<Grantee xsi:type="Group"><URI>http://acs.example.com/groups/global/AllUsers</URI></Grantee>';
  const grants = acl === 'public-read' ? ['READ'] : acl === 'public-read-write' ? ['READ', 'WRITE'] : [];
  const written = grants.map((permission) => `<Grant>${everyone}<Permission>${permission}</Permission></Grant>`);
  return `<AccessControlPolicy><AccessControlList><Grant><Grantee xsi:type="CanonicalUser"><ID>demo</ID></Grantee><Permission>FULL_CONTROL</Permission></Grant>${written.join('')}</AccessControlList></AccessControlPolicy>`;
}

/** To replace a certificate, the current one is deleted first (rule 6). */
function uploadCertificate(bucket: Bucket): Row {
  if (bucket.hasCertificate) throw badRequest('The bucket has a certificate already. Delete it first.');
  bucket.hasCertificate = true;
  return { ssl: true };
}

/** Buckets (document 3, 4.3). */
export const buckets = handlers({ create });

/** Object storage clusters, and the buckets in each (document 3, 4.3). */
export const objectClusters = collection<Cluster>('object-clusters', {
  rows: () => clusters,
  onRow: {
    buckets: ({ id }, call, cloud) => {
      const within = [...bucketsOf(cloud).values()].filter(({ cluster }) => cluster.id === id);
      return page(inOrder(within).map(shown), call);
    },
  },
}).handlers();

/** The outbound transfer of all buckets in this month, in bytes. */
const sentOut = 0.87 * 2 ** 40;

/** Object storage as a whole (document 3, 4.3): cancelling removes all buckets and what is in them (rule 7). */
export const objectStorage = handlersFor('object-storage', {
  view: () => ({ used: Math.round(sentOut) }),
  cancel: (_call, cloud) => bucketsOf(cloud).clear(),
});
