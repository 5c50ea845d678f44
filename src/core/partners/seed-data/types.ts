/** Types of the population: merchants with menus, customers, couriers. */
import type { Chance } from '../../engine/chance.ts'
import type { Instant } from '../../engine/instant.ts'
import type { MerchantStatus } from '../../protocol/auth/merchants.ts'
import type { SeedAddress, GeoPoint } from './addresses.ts'
import type { MenuCourse } from './menus/menu.ts'
import type { OwnSeedData } from './own-seed-data.ts'

export interface MenuOption {
  readonly id: string
  readonly name: string
  readonly cents: number
  readonly defaultQuantity?: number | undefined
  readonly max: number
  /** Nested option groups of this option. */
  readonly groups: readonly OptionGroup[]
}

export interface OptionGroup {
  readonly id: string
  readonly name: string
  readonly min: number
  readonly max: number
  /** Options included by default. */
  readonly included: readonly MenuOption[]
  /** Options that can be chosen in addition. */
  readonly offered: readonly MenuOption[]
}

export interface ItemOffer {
  readonly id: string
  readonly externalCode: string
  /** Every order carries its code: it is from the user's own menu. Real orders lack some. */
  readonly isAlwaysCoded?: true
  readonly name: string
  readonly description?: string | undefined
  readonly unit: 'UN' | 'KG'
  readonly cents: number
  readonly formerCents?: number | undefined
  readonly groups: readonly OptionGroup[]
}

export interface MenuCategory {
  readonly id: string
  readonly name: string
  readonly course: MenuCourse
  readonly offers: readonly ItemOffer[]
}

export interface SeedMerchant extends GeoPoint {
  readonly id: string
  readonly externalCode: string
  readonly name: string
  readonly cuisine: string
  readonly currency: string
  readonly status: MerchantStatus
  readonly waiters: readonly { readonly code: string; readonly name: string }[]
  readonly menu: readonly MenuCategory[]
  /** All offers of the menu, and its main courses. */
  readonly offers: readonly ItemOffer[]
  readonly mains: readonly ItemOffer[]
  /** Preparation time in minutes, from order to pickup. */
  readonly preparation: readonly [least: number, most: number]
  readonly remarks: readonly string[]
}

export interface SeedCustomer {
  readonly id: string
  readonly name: string
  readonly phone: { readonly number: string; readonly extension?: string | undefined }
  readonly documentNumber?: string | undefined
  readonly email?: string | undefined
  readonly birthDate?: string | undefined
  readonly gender?: string | undefined
  readonly addresses: readonly SeedAddress[]
  /** Number of past orders by merchant id; merchants without orders are absent. */
  readonly orders: ReadonlyMap<string, number>
}

export interface SeedCourier {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly vehicle: string
  readonly licencePlate?: string | undefined
}

export interface Population {
  readonly merchants: readonly SeedMerchant[]
  /** Those for which orders are made up without being asked for by name. */
  readonly openMerchants: readonly SeedMerchant[]
  readonly merchantById: ReadonlyMap<string, SeedMerchant>
  readonly customers: readonly SeedCustomer[]
  /** Customers who order often. */
  readonly regulars: readonly SeedCustomer[]
  readonly couriers: readonly SeedCourier[]
}

export interface PopulationOptions {
  /** A fork used for nothing else: another consumer would get the same ids. */
  readonly chance: Chance
  readonly now: Instant
  /** The user's own merchants and items, in place of the built-in ones. */
  readonly own?: OwnSeedData | undefined
  /** Numbers of records, one at least. The time to build is quadratic: dozens of merchants, not thousands. */
  readonly merchants?: number | undefined
  readonly customers?: number | undefined
  readonly couriers?: number | undefined
}
