/** Settings of a session: fixed at its beginning, changed by no fact. */
import type { Conduct } from '../protocol/conduct.ts'
import type { ListedMerchant } from '../protocol/auth/merchants.ts'
import type { DeliveryPlace } from '../protocol/logistics/place.ts'
import type { LoyaltySeeds } from '../protocol/loyalty/program.ts'
import type { CustomerMode, FeatureSwitch } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'

/** OAuth client of a role that we play. */
export interface Client {
  readonly clientId: string
  readonly clientSecret: string
  /** The role that the client plays. */
  readonly role: Role
  /** The merchants that it is authorized for; all when absent. Exactly one for a credential made per merchant. */
  readonly merchants?: readonly string[]
  /** Allowed redirect URIs for authorization codes. */
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
  /** The role of the subject; undefined when we play all roles. */
  readonly subject?: Role
  /** We started the process of the subject, and can end it and start it again. */
  readonly startsSubject?: true
  /** The event channels declared by the roles that we play. */
  readonly channels: { readonly polling: boolean; readonly webhook: boolean }
  /** Capabilities switched off: neither declared, nor served, nor called. */
  readonly switchedOff: ReadonlySet<FeatureSwitch>
  /** How delivery events are transferred: pushed, or fetched with GET. */
  readonly trackingMode: 'push' | 'pull'
  /** Direction of customer data: the Ordering Application pushes, the CRM pulls, or both. */
  readonly customerMode: CustomerMode
  readonly clients: readonly Client[]
  readonly merchants: readonly ListedMerchant[]
  /** Addresses of merchants by their ids; others have one that depends on the id alone. */
  readonly pickupAddresses?: ReadonlyMap<string, DeliveryPlace['address']>
  /** Initial programs and rewards of the Loyalty host. */
  readonly loyalty: LoyaltySeeds
}
