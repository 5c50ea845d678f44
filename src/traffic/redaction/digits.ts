/** Numbers that are written as text: their digits without the writing, the writing with other digits, check digits. */

export const digitsOf = (value: string): string => value.replaceAll(/\D/g, '')

/** Letters and digits, in capitals. */
export const symbolsOf = (value: string): string =>
  value.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()

/** The same writing with other letters and digits in it, in order. */
export function refill(written: string, symbols: string): string {
  let next = 0
  return written.replaceAll(/[0-9A-Za-z]/g, (was) => symbols[next++] ?? was)
}

/** Modulo 11: 0 and 1 both give 0. */
const elevens = (sum: number): number => {
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

/** A symbol's worth is its place after `0` in ASCII: digits are themselves, A is 17 (new company numbers have letters). */
const worth = (symbols: string, index: number): number => symbols.charCodeAt(index) - 48

function weighted(symbols: string, weightOf: (fromTheRight: number) => number): number {
  let sum = 0
  for (let index = 0; index < symbols.length; index++)
    sum += worth(symbols, index) * weightOf(symbols.length - 1 - index)
  return elevens(sum)
}

function twoChecks(base: string, weightOf: (fromTheRight: number) => number): string {
  const first = weighted(base, weightOf)
  return `${first}${weighted(`${base}${first}`, weightOf)}`
}

/** The two check digits of the nine digits of a CPF: weights grow from 2, from the right. */
export const cpfCheck = (base: string): string => twoChecks(base, (place) => place + 2)

/** The two check digits of the twelve symbols of a CNPJ: weights 2 to 9, again and again, from the right. */
export const cnpjCheck = (base: string): string => twoChecks(base, (place) => (place % 8) + 2)

/** Luhn's sum, which every card number passes. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return digits.length > 0 && sum % 10 === 0
}
