/**
 * The identifiers of a recording: where each occurs first and again. Computed once per recording; each replay maps them
 * to live values (binding.ts).
 */
import type { Party } from '../exchange.ts'

/**
 * Who generates the identifier: `ours` the side that we play; `theirs` the subject; `shared` known to both from
 * configuration (merchants, SKUs, client ids), never guessed; `secret` is obtained anew and never sent again.
 */
export type Origin = 'ours' | 'theirs' | 'shared' | 'secret'

export interface Site {
  /** The `recordId` of the exchange. */
  readonly recordId: string
  readonly side: 'request' | 'reply'
  /**
   * JSON Pointer into `{ path, query, headers, body }`: `/path/orderId` (a parameter of the route), `/query/merchantId/0`,
   * `/headers/x-request-id`, `/body/items/0/id` (JSON), `/body/code` (form).
   */
  readonly at: string
}

export interface CorrelatedIdentifier {
  /** `order`, `event`, `delivery`, `request`, … or `unknown` for a kind that the protocol does not define. */
  readonly kind: string
  readonly value: string
  readonly origin: Origin
  readonly born: Site
  /** All other occurrences, in the order of the recording. */
  readonly uses: readonly Site[]
}

/** One occurrence of an identifier. */
export interface IdentifierOccurrence {
  readonly identifier: CorrelatedIdentifier
  readonly site: Site
}

export interface Correlation {
  readonly identifiers: readonly CorrelatedIdentifier[]
  /** All occurrences in an exchange, or on one side of it. */
  readonly in: (recordId: string, side?: Site['side']) => readonly IdentifierOccurrence[]
}

export interface CorrelateOptions {
  /** Whether we play this party in the replay. */
  readonly ours: (party: Party) => boolean
  /** Recorded to live value, for identifiers that both sides know from configuration. */
  readonly shared?: Readonly<Record<string, string>>
}
