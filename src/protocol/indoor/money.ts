/**
 * Amounts of an account: whole cents, so that whoever pays can pay them exactly. On the wire they are decimals; orders may
 * come with finer prices, which are rounded as they come to an account.
 */
import { toUnits } from '../orders/price.ts'

const unitsPerCent = toUnits(0.01)

export const toCents = (decimal: number): number => Math.round(toUnits(decimal) / unitsPerCent)

/** Whole units of an order's price as whole cents. */
export const centsOf = (units: number): number => Math.round(units / unitsPerCent)

/** Whole cents as the decimal that goes on the wire. */
export const fromCents = (cents: number): number => cents / 100
