import { createHash } from 'node:crypto';
import type { ObjectCluster as ObjectClusterRow } from '../../resources/storage/objectStorage.ts';
import { perCloud, type Stored } from '../engine/cloud.ts';
import { noise, randomFrom } from '../engine/random.ts';
import { day } from '../engine/time.ts';
import { type InitialObjects, ObjectStore, type StoredObject } from './objectStore.ts';

/** A cluster (document 3, 4.3). */
export type Cluster = Stored<ObjectClusterRow> & { static_site_domain: string };

const clusterAt = (region: string, status: Cluster['status'] = 'available'): Cluster => ({
  id: `${region}-1`,
  domain: `${region}-1.objects.example.com`,
  static_site_domain: `website-${region}-1.objects.example.com`,
  region,
  status,
});

/** Every cluster; one is not available. */
export const clusters: readonly Cluster[] = [
  clusterAt('ap-south', 'unavailable'),
  clusterAt('eu-central'),
  clusterAt('us-east'),
  clusterAt('us-southeast'),
];

/** A bucket and what it holds. */
export interface Bucket {
  label: string;
  cluster: Cluster;
  /** Milliseconds since the epoch. */
  created: number;
  acl: string;
  cors: boolean;
  hasCertificate: boolean;
  objects: ObjectStore;
  /** The access to single objects, where it was set. */
  objectAcls: Map<string, string>;
}

/** A tag that tells the content of an object, as storage hosts make it. */
const etagOf = (text: string | Buffer): string => createHash('md5').update(text).digest('hex');

const noObjects = objectsNamed([], () => ({ size: 0, modified: 0 }));

/** A bucket without objects. */
export const emptyBucket = (label: string, cluster: Cluster, created: number): Bucket => ({
  label,
  cluster,
  created,
  acl: 'private',
  cors: false,
  hasCertificate: false,
  objects: new ObjectStore(noObjects),
  objectAcls: new Map(),
});

/** Objects of these names; `about` gives the size and time of each. */
function objectsNamed(
  names: readonly string[],
  about: (name: string, place: number) => Omit<StoredObject, 'name' | 'etag'>,
): InitialObjects {
  const sorted = [...names].sort();
  const name = (place: number) => sorted[place] ?? '';
  return {
    count: sorted.length,
    bytes: sorted.reduce((sum, one, place) => sum + about(one, place).size, 0),
    name,
    at: (place) => ({ name: name(place), ...about(name(place), place), etag: etagOf(name(place)) }),
  };
}

const two = (number: number) => String(number).padStart(2, '0');

const sensors = 105;
const hours = 24;
const days = 400;

/** The number of sizes of readings, in bytes, one after the other. */
const sizes = 4096;
const readingSize = (place: number) => 840 + ((place * 7919) % sizes);

/** Hourly readings of a fleet of sensors for more than a year: a million objects, none of them held in memory. */
function readings(time: number): InitialObjects {
  const first = Math.floor(time / day - days) * day;
  const dayNames = Array.from({ length: days }, (_, past) =>
    new Date(first + past * day).toISOString().slice(0, 10).replaceAll('-', '/'),
  );
  const name = (place: number) => {
    const hour = Math.floor(place / sensors);
    const sensor = String((place % sensors) + 1).padStart(4, '0');
    return `readings/${dayNames[Math.floor(hour / hours)]}/${two(hour % hours)}/sensor-${sensor}.json`;
  };
  const at = (place: number): StoredObject => ({
    name: name(place),
    size: readingSize(place),
    modified: first + (Math.floor(place / sensors) + 1) * 3_600_000 + (place % sensors) * 731,
    get etag() {
      return etagOf(name(place));
    },
  });
  const count = days * hours * sensors;
  // The sizes come round again.
  const round = Array.from({ length: sizes }, (_, place) => readingSize(place));
  const rest = round.slice(0, count % sizes);
  const sum = (some: readonly number[]) => some.reduce((total, size) => total + size, 0);
  return { count, bytes: Math.floor(count / sizes) * sum(round) + sum(rest), name, at };
}

function dumps(time: number, seed: number): InitialObjects {
  const databases = ['accounts', 'orders', 'sessions'];
  const names = databases.flatMap((database) =>
    Array.from(
      { length: 35 },
      (_, past) => `nightly/${database}/${new Date(time - past * day).toISOString().slice(0, 10)}.sql.gz`,
    ),
  );
  return objectsNamed([...names, 'README.txt', 'restore.sh'], (name, place) => ({
    size: name.endsWith('.gz') ? 40_000_000 + Math.floor(noise(seed, place, 1) * 900_000_000) : 1_840,
    modified: timeIn(name) ?? time - 300 * day,
  }));
}

const timeIn = (name: string) => {
  const found = /\d{4}-\d\d-\d\d/.exec(name)?.[0];
  return found === undefined ? undefined : Date.parse(found) + 3 * 3_600_000;
};

function assets(time: number, seed: number): InitialObjects {
  const random = randomFrom(seed, 7300);
  const hash = () => random.integer(0x1000_0000, 0xffff_ffff).toString(16);
  const names = [
    'index.html',
    'robots.txt',
    'favicon.ico',
    ...Array.from({ length: 18 }, () => `static/app-${hash()}.js`),
    ...Array.from({ length: 12 }, () => `static/style-${hash()}.css`),
    ...Array.from({ length: 260 }, (_, number) => `images/products/${String(number + 1).padStart(4, '0')}.webp`),
    ...['de', 'en', 'fr', 'ja'].map((language) => `locales/${language}.json`),
    'images/überblick 2024.png',
  ];
  return objectsNamed(names, (_name, place) => ({
    size: 1_200 + Math.floor(noise(seed, place, 2) * 380_000),
    modified: time - Math.floor(noise(seed, place, 3) * 200) * day,
  }));
}

/** The buckets of the account by cluster and label. */
export const bucketsOf = perCloud(({ options: { seed, time } }) => {
  const open = { label: 'assets', acl: 'public-read', cors: true };
  /** As they are at first; `age` is in days. */
  const initialBuckets = [
    { ...open, cluster: 'eu-central-1', age: 410, hasCertificate: true, initial: assets(time, seed) },
    { ...open, cluster: 'us-east-1', age: 404, initial: assets(time, seed + 1) },
    { label: 'db-backups', cluster: 'us-east-1', age: 610, initial: dumps(time, seed) },
    { label: 'sensor-archive', cluster: 'eu-central-1', age: 402, initial: readings(time) },
    { label: 'uploads-staging', cluster: 'us-southeast-1', age: 75, cors: true, initial: noObjects },
  ];
  return new Map<string, Bucket>(
    initialBuckets.map(({ cluster: id, age, initial, ...about }) => {
      const cluster = clusters.find((one) => one.id === id) ?? clusterAt(id);
      const bucket = emptyBucket(about.label, cluster, time - age * day);
      return [`${id}/${about.label}`, { ...bucket, ...about, objects: new ObjectStore(initial) }];
    }),
  );
});
