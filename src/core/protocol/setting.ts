/** Schemas of settings with their defaults: `word(['accept', 'refuse'], 'accept')`. */
import { z } from 'zod'

export const word = <const Words extends readonly string[]>(
  words: Words,
  usual: NoInfer<Words[number]>,
) => z.enum(words).default(usual as never)

export const flag = (usual: boolean) => z.boolean().default(usual)

/** A text that is not empty. */
export const text = (usual: string) => z.string().min(1).default(usual)

/** One of two statuses. */
export const either = <const One extends number, const Other extends number>(
  one: One,
  other: Other,
  usual: NoInfer<One | Other>,
) => z.union([z.literal(one), z.literal(other)]).default(usual as never)

/** A whole number. */
export const whole = (min: number, max: number, usual: number) =>
  z.int().min(min).max(max).default(usual)
