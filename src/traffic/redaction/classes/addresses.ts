/** Where somebody lives. City, state and country stay, since fees depend on them; the rest loses what singles out. */
import { defineClass } from '../class.ts'
import { canonicalText, isMark } from '../pseudonyms.ts'

export const address = defineClass({
  id: 'address',
  covers: 'street, number, complement, point of reference; `~adr_` and ten letters',
  keys: [
    'street',
    'streetname',
    'streetnumber',
    'streetaddress',
    'logradouro',
    'endereco',
    'complement',
    'complemento',
    'referencepoint',
    'pontodereferencia',
    'apartment',
    'doornumber',
    'addressline1',
    'addressline2',
    'addressline3',
  ],
  endings: ['address'],
  keysIn: {
    address: ['number', 'numero', 'reference', 'line1', 'line2', 'line3', 'unit', 'floor', 'block'],
  },
  replace: (value, { pseudonyms }) =>
    value.trim() === '' || isMark(value)
      ? value
      : pseudonyms.mark('adr', 'address', canonicalText(value)),
})

export const postal = defineClass({
  id: 'postal',
  covers: 'postal codes; the first three digits stay, the others are 0',
  keys: ['postalcode', 'postcode', 'zipcode', 'zip', 'cep'],
  replace: (value) => {
    let seen = 0
    return value.replaceAll(/[0-9A-Za-z]/g, (was) => (++seen > 3 ? '0' : was))
  },
  replaceNumber: (literal) =>
    literal.replaceAll(/\d/g, (was, offset: number) => (offset < 3 ? was : '0')),
})

/** Two decimals are about a kilometre. Cut, not rounded: a cut number is not cut again. */
export function coarse(value: string): string {
  if (/^\s*-?\d+(?:\.\d*)?\s*$/.test(value)) return value.replace(/(\.\d{2})\d+/, '$1')
  const number = Number(value)
  return Number.isFinite(number) && value.trim() !== '' ? number.toFixed(2) : value
}

export const coordinate = defineClass({
  id: 'coordinate',
  covers: 'latitude and longitude; two decimals stay',
  keys: ['latitude', 'longitude', 'lat', 'lng', 'lon', 'long', 'coordinates', 'latlng', 'latlong'],
  replace: (value, { pseudonyms }) => {
    if (isMark(value) || coarse(value) !== value || /^\s*-?\d+(?:\.\d*)?\s*$/.test(value))
      return coarse(value)
    const cut = value.replaceAll(/(\.\d{2})\d+/g, '$1')
    // What is no number, nor several, may be anything.
    return value === '' || /^[\d.,;\s-]+$/.test(value)
      ? cut
      : pseudonyms.mark('geo', 'coordinate', value)
  },
  replaceNumber: coarse,
})
