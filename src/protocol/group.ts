/** An object with string keys, as parsed from JSON: neither an array nor null. */
export type Group = Readonly<Record<string, unknown>>

export const isGroup = (value: unknown): value is Group =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
