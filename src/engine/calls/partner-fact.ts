/** What we learn of the counterparts that we call: `partner.…`. */
import type { MerchantRow } from '../../protocol/auth/merchants.ts'
import type { ReadManifest } from '../../protocol/discovery/read.ts'
import type { Role } from '../../protocol/role.ts'
import type { CallIntent } from './call.ts'

interface Pair {
  /** The role that we play. */
  readonly from: Role
  readonly partner: Role
}

interface Read extends Pair {
  readonly manifest: ReadManifest
  /** How long it may be kept before it is read again; it is not, when absent. */
  readonly freshForMs?: number
}

export type PartnerFact =
  /** A counterpart's manifest is valid: the integration is active. */
  | (Read & { readonly kind: 'partner.accepted' })
  /** It was read again and says what it said; or it could not be read, and what it said last holds a while longer. */
  | (Pair & {
      readonly kind: 'partner.unchanged'
      readonly freshForMs?: number
      readonly because?: string
    })
  /** It was read again and says something else. */
  | (Read & { readonly kind: 'partner.changed' })
  /** It had turned invalid and is valid again: the calls that waited for that are made now. */
  | (Read & { readonly kind: 'partner.restored'; readonly postponed: readonly CallIntent[] })
  /** A counterpart's manifest is missing or will not do: no business call goes there. */
  | (Pair & {
      readonly kind: 'partner.rejected'
      readonly because: string
      /** Tries so far. */
      readonly attempt: number
    })
  /** The merchants that we are authorized for are known. */
  | (Pair & { readonly kind: 'partner.merchants'; readonly merchants: readonly MerchantRow[] })
