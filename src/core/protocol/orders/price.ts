/**
 * Prices. On the wire a price is a decimal number and a currency (ORD-FLD-17); sums are computed in integer "units" of
 * 1/10,000, since the schema allows four decimal places and sums of floats are inexact.
 */
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

export const Price = looseObject(() => ({
  value: z.number(),
  currency: z.string().regex(/^[A-Z]{3}$/),
}))
export type Price = z.infer<typeof Price>

const unitsPerWhole = 10_000

/** Converts a decimal amount to integer units. */
export const toUnits = (decimal: number): number => Math.round(decimal * unitsPerWhole)

/** Converts integer units to the decimal amount on the wire. */
export const fromUnits = (units: number): number => units / unitsPerWhole

export const priceFromUnits = (units: number, currency: string): Price => ({
  value: fromUnits(units),
  currency,
})
