/** An object with string keys, as parsed from JSON: neither an array nor null. */
export type UnknownRecord = Readonly<Record<string, unknown>>

export const isUnknownRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
