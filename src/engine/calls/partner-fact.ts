/** Facts about the counterparts that we call: `partner.…`. */
import type { ListedMerchant } from '../../protocol/auth/merchants.ts'
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import type { Role } from '../../protocol/role.ts'
import type { CallIntent } from './call.ts'

/**
 * Why a manifest is of no use: a service without one answered, it is there and wrong, an error that may pass, or nobody
 * answered.
 */
export type ManifestProblem = 'missing' | 'invalid' | 'unreadable' | 'unreachable'

interface PartnerPair {
  /** The role that we play. */
  readonly from: Role
  readonly partner: Role
}

interface ManifestRead extends PartnerPair {
  readonly manifest: ParsedManifest
  /** Why there is none; `manifest` is the placeholder then. */
  readonly missing?: string
  /** Milliseconds until it is read again; never read again when absent. */
  readonly freshForMs?: number
}

export type PartnerFact =
  /** A counterpart's manifest is valid: the integration is active. */
  | (ManifestRead & { readonly kind: 'partner.accepted' })
  /** Read again without a change; or it could not be read, and the last valid one still holds. */
  | (PartnerPair & {
      readonly kind: 'partner.unchanged'
      readonly freshForMs?: number
      readonly because?: string
    })
  /** Read again with a change. */
  | (ManifestRead & { readonly kind: 'partner.changed' })
  /** Valid again after it was rejected: the postponed calls are made now. */
  | (ManifestRead & {
      readonly kind: 'partner.restored'
      readonly postponed: readonly CallIntent[]
    })
  /** A counterpart's manifest is missing although one is required, invalid, or cannot be read: no business calls go there. */
  | (PartnerPair & {
      readonly kind: 'partner.rejected'
      readonly because: string
      readonly problem: ManifestProblem
      /** Attempts so far. */
      readonly attempt: number
    })
  /** The merchants that we are authorized for were received. */
  | (PartnerPair & {
      readonly kind: 'partner.merchants'
      readonly merchants: readonly ListedMerchant[]
    })
