/** Types of what a user provides in place of the built-in merchants and menus. */
import type { MerchantStatus } from '../../protocol/auth/merchants.ts'

export interface ChoiceInput {
  readonly name: string
  readonly externalCode?: string | undefined
  readonly price: number
  readonly max: number
  readonly options?: readonly OptionGroupInput[] | undefined
}

export interface OptionGroupInput {
  readonly name: string
  readonly min: number
  readonly max?: number | undefined
  readonly choices: readonly ChoiceInput[]
}

export interface MenuItemInput {
  readonly externalCode: string
  readonly name: string
  readonly price: number
  readonly currency: string
  readonly category?: string | undefined
  readonly description?: string | undefined
  readonly unit: 'UN' | 'KG'
  readonly originalPrice?: number | undefined
  readonly options?: readonly OptionGroupInput[] | undefined
}

interface MerchantInput {
  readonly id: string
  readonly name: string
  readonly externalCode?: string | undefined
  readonly status: MerchantStatus
  readonly address?:
    | { readonly latitude?: number | undefined; readonly longitude?: number | undefined }
    | undefined
  /** A built-in one when absent. */
  readonly menu?: readonly MenuItemInput[]
}

/** What the user provides in place of the built-in merchants and menus. */
export interface OwnSeedData {
  readonly merchants?: readonly MerchantInput[]
  /** What the made-up merchants sell. */
  readonly menu?: readonly MenuItemInput[]
}
