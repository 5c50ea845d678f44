/** An object with string keys, as parsed from JSON: neither an array nor null. */
export type UnknownRecord = Readonly<Record<string, unknown>>

export const isUnknownRecord = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text member of a parsed value; undefined where there is none. */
export function textMember(value: unknown, name: string): string | undefined {
  const member = isUnknownRecord(value) ? value[name] : undefined
  return typeof member === 'string' ? member : undefined
}

/** For a check of an object schema: it looks at objects with invalid members too, so that all problems are named at once. */
export const evenIfInvalid = {
  when: ({ value }: { readonly value: unknown }): boolean => isUnknownRecord(value),
} as const
