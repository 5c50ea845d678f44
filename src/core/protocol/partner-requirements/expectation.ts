/** Expectations of a value: what it is, in words for a message, and the test whether a value is one. */
import { parseDateTime } from '../date-time.ts'
import { joinAlternatives } from '../issue-text.ts'
import { isUnknownRecord } from '../unknown-record.ts'

export interface Expectation {
  /** What is expected: `a date and a time`. */
  readonly says: string
  readonly fits: (value: unknown) => boolean
  /** All values, where there are few; the nearest one is suggested. */
  readonly words?: readonly string[]
  /** What fits, as far as JSON Schema can say it. */
  readonly schema: Readonly<Record<string, unknown>>
}

const isText = (value: unknown): value is string => typeof value === 'string'

export const text: Expectation = {
  says: 'a text',
  fits: (value) => isText(value) && value !== '',
  schema: { type: 'string', minLength: 1 },
}

export const jsonObject: Expectation = {
  says: 'an object',
  fits: isUnknownRecord,
  schema: { type: 'object' },
}

export const decimal: Expectation = {
  says: 'a number',
  fits: (value) => typeof value === 'number',
  schema: { type: 'number' },
}

export const dateTime: Expectation = {
  says: 'a date and a time such as 2026-01-05T12:00:00-03:00',
  fits: (value) => isText(value) && parseDateTime(value) !== undefined,
  schema: { type: 'string', format: 'date-time' },
}

export const date: Expectation = {
  says: 'a date such as 2026-01-05',
  fits: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value),
  schema: { type: 'string', format: 'date' },
}

export const url: Expectation = {
  says: 'an absolute URL',
  fits: (value) => isText(value) && URL.canParse(value),
  schema: { type: 'string', format: 'uri' },
}

export const uuid: Expectation = {
  says: 'a UUID',
  fits: (value) => isText(value) && /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value),
  schema: { type: 'string', format: 'uuid' },
}

export const wholeNumberFrom = (minimum: number): Expectation => ({
  says: `a whole number from ${minimum}`,
  fits: (value) => Number.isInteger(value) && Number(value) >= minimum,
  schema: { type: 'integer', minimum },
})

export const entries = (what: string, minimum: number, maximum: number): Expectation => ({
  says: `${minimum} to ${maximum} ${what}`,
  fits: (value) => Array.isArray(value) && value.length >= minimum && value.length <= maximum,
  schema: { minItems: minimum, maxItems: maximum },
})

/** Words of a message at most; of a longer list the first ones are examples. */
const maxListed = 6

/** One word of a closed list. */
export const oneOf = (what: string, words: readonly string[]): Expectation => ({
  says:
    words.length > maxListed
      ? `${what}, one of ${words.length} such as ${words.slice(0, 2).join(' and ')}`
      : `${what}: ${joinAlternatives(words)}`,
  fits: (value) => isText(value) && words.includes(value),
  words,
  schema: { type: 'string', enum: words },
})
