/** JSON as a value and back with every number as it is spelled: `12.50` stays, and a long integer loses no digit. */

interface LosslessJson {
  readonly rawJSON: (text: string) => unknown
  readonly isRawJSON: (value: unknown) => boolean
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown
}

// The type library of this target does not have these members yet.
const json = JSON as unknown as LosslessJson

/**
 * Parses a text for `JSON.stringify`: numbers that would be spelled otherwise are opaque values. Throws a `SyntaxError`.
 */
export const parseLosslessJson = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && String(value) !== source
      ? json.rawJSON(source)
      : value,
  )

/** Whether it is a list or an object, and no opaque number. */
export const isJsonContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !json.isRawJSON(value)
