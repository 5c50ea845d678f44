/**
 * Amounts in the integer units of price.ts and always whole cents. No floats are added; a decimal appears only in a
 * finished price.
 */
import { toUnits } from '../../protocol/orders/price.ts'

/** Currency of the built-in menus. */
export const seedCurrency = 'BRL'

export const unitsPerCent = toUnits(0.01)

/** Percentage of an amount, rounded down to whole cents. */
export const percentOfUnits = (units: number, share: number): number => {
  const exact = (units * share) / 100
  return Math.floor(exact / unitsPerCent) * unitsPerCent
}
