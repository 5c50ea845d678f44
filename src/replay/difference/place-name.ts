/** What a pointer into a message says about its value: the name of the field, and whether the protocol defines it. */
import type { JsonPathFrame } from '../../core/traffic/entities/edit-json.ts'
import { meaningAt, meaningOfName } from '../../core/traffic/entities/field-meaning.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { pointerKeys } from '../../core/traffic/json/json-pointer.ts'

const isPosition = (key: string): boolean => /^\d+$/.test(key)

/** The innermost name of a pointer, also for members of a list. */
export const placeName = (where: string): string =>
  pointerKeys(where).findLast((key) => !isPosition(key)) ?? ''

const frameOf = (key: string): JsonPathFrame => ({
  list: isPosition(key),
  key,
  index: isPosition(key) ? Number(key) : 0,
  first: key,
  named: true,
})

/** Whether the protocol defines what an identifier there identifies. */
export function isTypedPlace(where: string, operation: Exchange['operation']): boolean {
  const [part, ...keys] = pointerKeys(where)
  const meaning =
    part === 'body'
      ? meaningAt(keys.map(frameOf), operation)
      : meaningOfName(placeName(where), operation)
  return meaning.kind !== undefined
}

/** Names that many kinds of things have. */
const genericNames: ReadonlySet<string> = new Set([
  'id',
  'number',
  'num',
  'no',
  'nr',
  'key',
  'ref',
  'seq',
])

/** The name of the series of a bare number: that of its field, or its place where the field's name is a common one. */
export function bareSeriesName(where: string, operation: Exchange['operation']): string {
  const name = placeName(where)
  if (!genericNames.has(name.toLowerCase())) return name
  return `${operation ?? ''} ${pointerKeys(where)
    .filter((key) => !isPosition(key))
    .join(' ')}`
}
