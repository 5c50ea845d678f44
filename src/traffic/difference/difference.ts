/** A place in which two exchanges differ, and what is said about it. */

/** How the values of one place are compared. */
export type Comparator =
  | { readonly as: 'equal' }
  /** Instants that may be so many milliseconds apart. */
  | { readonly as: 'time'; readonly within?: number }
  /** Values of the same type and format: a UUID for a UUID. */
  | { readonly as: 'shape' }
  | { readonly as: 'present' }
  /** Absent and null are the same. */
  | { readonly as: 'absent-or-null' }
  /** Absent, null, '', [] and {} are the same. */
  | { readonly as: 'empty' }
  | { readonly as: 'number'; readonly within: number }
  /** A list whose order means nothing. */
  | { readonly as: 'set' }
  /** A list whose members are known by a field. */
  | { readonly as: 'keyed'; readonly by: string }
  /** Numbers or instants that only grow from exchange to exchange. */
  | { readonly as: 'monotonic' }
  /** URLs that may differ in scheme, host and port, and in nothing else. */
  | { readonly as: 'address' }
  /** Present on both sides, whatever it is. */
  | { readonly as: 'opaque' }
  | { readonly as: 'ignore' }

/** A comparator, where it holds and who said so. The first that fits decides. */
export interface Rule {
  /**
   * JSONPath (RFC 9535) into `{ method, path, query, headers, body }` of a request or `{ status, headers, body }` of a
   * reply, `$.body.items[*].price`. Names of headers are in small letters.
   */
  readonly at: string
  readonly side?: 'request' | 'reply'
  /** Only in exchanges of this operation. */
  readonly operation?: string
  readonly compare: Comparator
  readonly from: 'user' | 'protocol' | 'inferred' | 'default'
  /** One sentence: why that is no difference. */
  readonly reason: string
}

export interface Difference {
  readonly side: 'request' | 'reply'
  /**
   * JSON Pointer (RFC 6901) into the same, by the positions of the recorded side: `/body/items/0/price`. Only what is
   * extra stands at its live position, since it has no other.
   */
  readonly where: string
  readonly kind: 'value' | 'type' | 'missing' | 'extra' | 'order'
  readonly recorded?: unknown
  readonly live?: unknown
  /** The rule that judged it. */
  readonly rule: Rule
  /** The rule accepts it: noise, and shown as such. */
  readonly accepted: boolean
}
