/** What a session is told once, at its beginning, and what no fact changes. */
import type { Conduct } from '../protocol/conduct.ts'
import type { MerchantRow } from '../protocol/auth/merchants.ts'
import type { LoyaltySeeds } from '../protocol/loyalty/program.ts'
import type { CustomerMode, Switch } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'

/** Somebody who may ask a role that we play for tokens. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
  /** The role that it plays. */
  readonly role: Role
  /** The merchants that it is authorized for; all when absent. One, for a credential made per merchant. */
  readonly merchants?: readonly string[]
  /** Where an authorization for it may be sent. */
  readonly redirectUris?: readonly string[]
}

export interface Settings {
  readonly protocol: {
    readonly name: string
    readonly scopePrefix: string
    readonly version: string
    readonly supportedVersions: readonly string[]
  }
  readonly conduct: Conduct
  /** The roles that we play in this session. */
  readonly roles: readonly Role[]
  /** The role of the user's service; undefined when we play all that there are. */
  readonly subject?: Role
  /** The channels that the roles which we play declare for events. */
  readonly channels: { readonly polling: boolean; readonly webhook: boolean }
  /** What this session goes without: neither declared, nor served, nor called. */
  readonly switchedOff: ReadonlySet<Switch>
  /** How delivery events flow: sent, or fetched with GET. */
  readonly trackingMode: 'push' | 'pull'
  /** Who sends customer data to whom: the Ordering Application pushes, the CRM pulls, or both. */
  readonly customerMode: CustomerMode
  readonly clients: readonly Client[]
  readonly merchants: readonly MerchantRow[]
  /** The programs and rewards that the Loyalty host begins with. */
  readonly loyalty: LoyaltySeeds
}
