/**
 * A domain name of at most 255 characters, each label at most 63 (document 3, 2.1): labels as RFC 1035 has them, and
 * those that names within a domain have besides, with _ or as * at the begin.
 */
export const domainPattern = {
  test: /^(?=.{1,255}$)(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/i,
  says: 'labels of 1–63 letters, digits, _ and - with dots between, none beginning or ending with -; the first may be *',
};

/** Whether a text names a host: a domain name whose labels may also hold _, with or without the trailing period. */
export const isHostName = (text: string): boolean =>
  /^(?=.{1,254}$)(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i.test(
    text,
  );
