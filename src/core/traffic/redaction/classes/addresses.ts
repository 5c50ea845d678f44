/**
 * Postal addresses and positions. City, state and country stay, since fees depend on them; identifying parts are
 * replaced.
 */
import { defineClass } from '../class.ts'
import { canonicalText, isPlaceholder } from '../pseudonyms.ts'

export const address = defineClass({
  id: 'address',
  covers: 'street, number, complement, point of reference; `~adr_` and ten letters',
  keys: [
    'street',
    'street name',
    'street number',
    'street address',
    'complement',
    'reference point',
    'apartment',
    'apartment number',
    'door number',
    'address line',
  ],
  nouns: ['address'],
  keysIn: {
    address: [
      'number',
      'reference',
      'line',
      'lines',
      'unit',
      'floor',
      'block',
      'formatted',
      'full',
    ],
  },
  replace: (value, { pseudonyms }) =>
    value.trim() === '' || isPlaceholder(value)
      ? value
      : pseudonyms.mark('adr', 'address', canonicalText(value)),
})

export const postal = defineClass({
  id: 'postal',
  covers: 'postal codes; the first three digits stay, the others are 0',
  keys: ['zip', 'zip code', 'postal code'],
  replace: (value) => {
    let kept = 0
    return value.replaceAll(/[0-9A-Za-z]/g, (was) => (++kept > 3 ? '0' : was))
  },
  replaceNumber: (literal) =>
    literal.replaceAll(/\d/g, (was, offset: number) => (offset < 3 ? was : '0')),
})

const decimal = /^\s*-?\d+(?:\.\d*)?\s*$/

/** Two decimals are about a kilometre. Truncated, not rounded: truncation is idempotent. */
const truncateDecimals = (value: string): string => value.replaceAll(/(\.\d{2})\d+/g, '$1')

/** A JSON number in any spelling; one outside the range of coordinates becomes 0. */
function truncateNumber(literal: string): string {
  if (decimal.test(literal)) return truncateDecimals(literal)
  const number = Number(literal)
  return Math.abs(number) <= 180 ? number.toFixed(2) : '0'
}

export const coordinate = defineClass({
  id: 'coordinate',
  covers: 'latitude and longitude; two decimals stay',
  keys: ['latitude', 'longitude', 'coordinates', 'latitude longitude'],
  replace: (value, { pseudonyms }) =>
    // Several numbers in one text are truncated each; other texts are replaced.
    isPlaceholder(value) || /^[\d.,;\s-]*$/.test(value)
      ? truncateDecimals(value)
      : pseudonyms.mark('geo', 'coordinate', value),
  replaceNumber: truncateNumber,
})
