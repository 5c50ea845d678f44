/**
 * Money. On the wire a price is a decimal number and a currency (ORD-FLD-17); sums are done in whole ten-thousandths,
 * since the schema allows four places and floats do not add up.
 */
import { z } from 'zod'

export const Price = z.looseObject({ value: z.number(), currency: z.string().regex(/^[A-Z]{3}$/) })
export type Price = z.infer<typeof Price>

const unitsPerWhole = 10_000

/** A decimal amount in whole ten-thousandths. */
export const toUnits = (decimal: number): number => Math.round(decimal * unitsPerWhole)

/** Whole ten-thousandths as the decimal amount that goes on the wire. */
export const fromUnits = (units: number): number => units / unitsPerWhole

export const price = (units: number, currency: string): Price => ({
  value: fromUnits(units),
  currency,
})
