/** A domain name as RFC 1035 has it, at most 255 characters, each label at most 63 (document 3, 2.1). */
export const domainPattern = {
  test: /^(?=.{1,255}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i,
  says: 'labels of 1–63 letters, digits and - with dots between, none beginning or ending with -',
};

/** Whether a text names a host: a domain name whose labels may also hold _, with or without the trailing period. */
export const isHostName = (text: string): boolean =>
  /^(?=.{1,254}$)(?:\*\.)?[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i.test(
    text,
  );
