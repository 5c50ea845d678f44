/**
 * Amounts of an account in whole cents, so that they can be paid exactly. Decimals on the wire; finer prices of
 * orders are rounded when they are booked.
 */
import { toUnits } from '../orders/price.ts'

const unitsPerCent = toUnits(0.01)

export const toCents = (decimal: number): number => Math.round(toUnits(decimal) / unitsPerCent)

/** Price units of an order as whole cents. */
export const unitsToCents = (units: number): number => Math.round(units / unitsPerCent)

/** Whole cents as the decimal on the wire. */
export const fromCents = (cents: number): number => cents / 100
