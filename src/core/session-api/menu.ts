/** What orders are made up from: the merchants of a session, and what they sell. */
import type { MerchantStatus } from '../protocol/auth/merchants.ts'

/** Summary of a merchant. */
export interface MerchantRow {
  readonly id: string
  readonly externalCode: string
  readonly name: string
  readonly status: MerchantStatus
  readonly currency: string
  /** Number of items on its menu. */
  readonly items: number
}

/** An item of a merchant's menu. */
export interface MenuRow {
  readonly merchantId: string
  readonly externalCode: string
  readonly name: string
  readonly category: string
  /** Price of one unit. */
  readonly price: number
  readonly unit: 'UN' | 'KG'
  readonly options: readonly {
    readonly group: string
    readonly min: number
    readonly max: number
    readonly choices: readonly { readonly name: string; readonly price: number }[]
  }[]
}

export interface MenuView {
  readonly limit: number
  readonly offset?: number
  /** Only items of this merchant: its id, externalCode or name. */
  readonly merchant?: string
}

export interface MenuSnapshot {
  readonly merchants: readonly MerchantRow[]
  readonly items: readonly MenuRow[]
}
