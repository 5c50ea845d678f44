/** Types of differences between exchanges and of the rules that accept them. */

/** How the values of one place are compared. */
export type Comparator =
  | { readonly as: 'equal' }
  /** Instants in one form at most `within` milliseconds apart; any distance when absent. */
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
  /** A list whose members are identified by a field. */
  | { readonly as: 'keyed'; readonly by: string }
  /** Numbers or instants that never decrease from exchange to exchange. */
  | { readonly as: 'monotonic' }
  /** URLs that may differ in scheme, host and port, and in nothing else. */
  | { readonly as: 'address' }
  /** Generated anew in every run: each recorded one stands for one live one, in all exchanges. */
  | { readonly as: 'identifier' }
  /** Numbers of things, alone or after a prefix: other ones than recorded, with the same steps, in all exchanges. */
  | { readonly as: 'counter' }
  /** Present on both sides, with any value of one type. */
  | { readonly as: 'opaque' }
  | { readonly as: 'ignore' }

/** A comparator with the place where it applies and its origin. The first matching rule decides. */
export interface Rule {
  /**
   * JSONPath (RFC 9535) into `{ method, path, query, headers, body }` of a request or `{ status, headers, body }` of
   * a reply, `$.body.items[*].price`. Header names are in lower case.
   */
  readonly at: string
  readonly side?: 'request' | 'reply'
  /** Only in exchanges of this operation. */
  readonly operation?: string
  readonly compare: Comparator
  readonly from: 'user' | 'protocol' | 'inferred' | 'learned' | 'default'
  /** One sentence: why this difference is acceptable. */
  readonly reason: string
}

export interface Difference {
  readonly side: 'request' | 'reply'
  /**
   * JSON Pointer (RFC 6901) into the same document, by positions of the recorded side: `/body/items/0/price`. Only an
   * `extra` value has its live position, since it has no other.
   */
  readonly where: string
  readonly kind: 'value' | 'type' | 'missing' | 'extra' | 'order'
  readonly recorded?: unknown
  readonly live?: unknown
  /** The rule that decided about it. */
  readonly rule: Rule
  /** The rule accepts it: noise, still reported. */
  readonly accepted: boolean
}
