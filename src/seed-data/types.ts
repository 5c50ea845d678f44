/** The shapes of seed data: merchants with their menus, customers, couriers. */
import type { Chance } from '../engine/chance.ts'
import type { Instant } from '../engine/instant.ts'
import type { Address, Position } from './addresses.ts'
import type { Course } from './menus/menu.ts'

export interface MenuOption {
  readonly id: string
  readonly name: string
  readonly cents: number
  readonly defaultQuantity?: number | undefined
  readonly most: number
  /** Choices that come with this one. */
  readonly groups: readonly OptionGroup[]
}

export interface OptionGroup {
  readonly id: string
  readonly name: string
  readonly least: number
  readonly most: number
  /** What comes without asking. */
  readonly included: readonly MenuOption[]
  /** What one may take besides. */
  readonly offered: readonly MenuOption[]
}

export interface ItemOffer {
  readonly id: string
  readonly externalCode: string
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
  readonly course: Course
  readonly offers: readonly ItemOffer[]
}

export interface Merchant extends Position {
  readonly id: string
  readonly externalCode: string
  readonly name: string
  readonly cuisine: string
  readonly waiters: readonly { readonly code: string; readonly name: string }[]
  readonly menu: readonly MenuCategory[]
  /** The offers of the whole menu, and those that make a meal. */
  readonly offers: readonly ItemOffer[]
  readonly mains: readonly ItemOffer[]
  /** From the order to the counter, in minutes. */
  readonly preparation: readonly [least: number, most: number]
  readonly remarks: readonly string[]
}

export interface Customer {
  readonly id: string
  readonly name: string
  readonly phone: { readonly number: string; readonly extension?: string | undefined }
  readonly documentNumber?: string | undefined
  readonly email?: string | undefined
  readonly birthDate?: string | undefined
  readonly gender?: string | undefined
  readonly addresses: readonly Address[]
  /** How often the customer had ordered, by merchant id; merchants not yet met are missing. */
  readonly orders: ReadonlyMap<string, number>
}

export interface Courier {
  readonly id: string
  readonly name: string
  readonly phone: string
  readonly vehicle: string
  readonly licencePlate?: string | undefined
}

export interface Population {
  /** The application that all orders of this session come from. */
  readonly sourceAppId: string
  readonly merchants: readonly Merchant[]
  readonly merchantById: ReadonlyMap<string, Merchant>
  readonly customers: readonly Customer[]
  /** Those who come again and again. */
  readonly regulars: readonly Customer[]
  readonly couriers: readonly Courier[]
}

export interface PopulationWish {
  /** A fork that nobody else draws from, or somebody's ids would be theirs too. */
  readonly chance: Chance
  readonly now: Instant
  /** How many of each, one at least. Tables take time with the square of it: some dozen merchants, not thousands. */
  readonly merchants?: number | undefined
  readonly customers?: number | undefined
  readonly couriers?: number | undefined
}
