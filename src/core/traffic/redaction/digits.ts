/** Numbers written as text: extracting and replacing their digits, check digits. */

export const digitsOf = (value: string): string => value.replaceAll(/\D/g, '')

/** Letters and digits only, in upper case. */
export const alphanumericsOf = (value: string): string =>
  value.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase()

/** Replaces the letters and digits in order; punctuation stays. */
export function replaceAlphanumerics(written: string, symbols: string): string {
  let next = 0
  return written.replaceAll(/[0-9A-Za-z]/g, (was) => symbols[next++] ?? was)
}

/** Modulo-11 check digit: remainders 0 and 1 both give 0. */
const moduloElevenDigit = (sum: number): number => {
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

/** Value of a character: its offset from `0` in ASCII, so A is 17 (new CNPJ numbers have letters). */
const charValue = (symbols: string, index: number): number => symbols.charCodeAt(index) - 48

function checkDigit(symbols: string, weightOf: (fromTheRight: number) => number): number {
  let sum = 0
  for (let index = 0; index < symbols.length; index++)
    sum += charValue(symbols, index) * weightOf(symbols.length - 1 - index)
  return moduloElevenDigit(sum)
}

function twoCheckDigits(base: string, weightOf: (fromTheRight: number) => number): string {
  const first = checkDigit(base, weightOf)
  return `${first}${checkDigit(`${base}${first}`, weightOf)}`
}

/** The two check digits of the nine digits of a CPF: weights 2, 3, … from the right. */
export const cpfCheckDigits = (base: string): string => twoCheckDigits(base, (place) => place + 2)

/** The two check digits of the twelve characters of a CNPJ: weights 2 to 9, repeated, from the right. */
export const cnpjCheckDigits = (base: string): string =>
  twoCheckDigits(base, (place) => (place % 8) + 2)

/** Digits behind the first one of a number that stands for another. */
const drawnDigits = 11
const checkBase = 997

/** Three digits that a number with these eleven ends with, when it stands for another. */
const standInCheck = (drawn: string): string =>
  String((Number(drawn) * 389 + 61) % checkBase).padStart(3, '0')

/** Whether a number stands for another: `9`, eleven digits, and three that follow from them. */
export const isStandInNumber = (digits: string): boolean =>
  /^9\d{14}$/.test(digits) && standInCheck(digits.slice(1, 1 + drawnDigits)) === digits.slice(-3)

/**
 * A number that stands for a value whose replacement is no number: its own for each replacement, an exact integer, and
 * the digits of no card.
 */
export function standInNumber(replacement: string): string {
  let drawn = 7
  for (const char of replacement)
    drawn = (drawn * 8191 + (char.codePointAt(0) ?? 0)) % 99_999_999_977
  const digits = String(drawn).padStart(drawnDigits, '0')
  return `9${digits}${standInCheck(digits)}`
}

/** The Luhn check, which every card number passes. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return digits.length > 0 && sum % 10 === 0
}
