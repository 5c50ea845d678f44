/**
 * What names what in a recording: identifiers, where each is minted and where it comes back. Learned once from the
 * recording; bound to new values by each replay (binding.ts).
 */
import type { Party } from '../exchange.ts'

/**
 * Who mints it: `ours` the side that we play; `theirs` the subject; `shared` known to both from configuration
 * (merchants, SKUs, client ids), never guessed; `secret` is obtained anew and never sent again.
 */
export type Origin = 'ours' | 'theirs' | 'shared' | 'secret'

export interface Site {
  /** The exchange. */
  readonly recordId: string
  readonly side: 'request' | 'reply'
  /**
   * JSON Pointer into `{ path, query, headers, body }`: `/path/orderId` (a parameter of the route), `/query/merchantId/0`,
   * `/headers/x-request-id`, `/body/items/0/id` (JSON), `/body/code` (form).
   */
  readonly at: string
}

export interface Identifier {
  /** `order`, `event`, `delivery`, `request`, … or `unknown` for what the protocol does not name. */
  readonly kind: string
  readonly value: string
  readonly origin: Origin
  readonly born: Site
  /** Every other place it stands in, in the order of the recording. */
  readonly uses: readonly Site[]
}

/** An identifier at one of its places. */
export interface Standing {
  readonly identifier: Identifier
  readonly site: Site
}

export interface Correlation {
  readonly identifiers: readonly Identifier[]
  /** The identifiers that stand in an exchange, or on one side of it, with their places there. */
  readonly in: (recordId: string, side?: Site['side']) => readonly Standing[]
}

export interface CorrelateOptions {
  /** Whether we play this party in the replay. */
  readonly ours: (party: Party) => boolean
  /** Old name to new name, for what both sides know from configuration: merchants, client ids. */
  readonly shared?: Readonly<Record<string, string>>
}
