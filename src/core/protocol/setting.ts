/** Schemas of settings with their defaults: `oneWord(['accept', 'refuse'], 'accept')`. */
import { z } from 'zod'

export const oneWord = <const Words extends readonly string[]>(
  words: Words,
  byDefault: NoInfer<Words[number]>,
) => z.enum(words).default(byDefault as never)

export const onOrOff = (byDefault: boolean) => z.boolean().default(byDefault)

/** A text that is not empty. */
export const filledText = (byDefault: string) => z.string().min(1).default(byDefault)

/** One of two statuses. */
export const eitherStatus = <const One extends number, const Other extends number>(
  one: One,
  other: Other,
  byDefault: NoInfer<One | Other>,
) => z.union([z.literal(one), z.literal(other)]).default(byDefault as never)

/** A whole number. */
export const wholeNumber = (min: number, max: number, byDefault: number) =>
  z.int().min(min).max(max).default(byDefault)
