/** The fields of a record that its type does not have, as the API answers them (document 3, 2.2). */
export const blankRecord = {
  ...{ ttl_sec: 0, priority: 0, weight: 0, port: 0 },
  ...{ service: null, protocol: null, tag: null },
};
