/**
 * Document numbers of people and companies (CPF, CNPJ with digits or letters, others). Valid check digits stay valid,
 * invalid ones invalid, so that a service's own check still gives the same result. Replacements are recognised: a
 * CNPJ by branch 0000, which is never issued; a CPF, whose every number may be issued, by four digits computed from
 * the other five. So one real CPF in about eleven thousand looks like a replacement and stays unchanged; more digits
 * to draw from would leave more of them, so different values are kept apart as they come.
 */
import {
  cnpjCheckDigits,
  cpfCheckDigits,
  digitsOf,
  replaceAlphanumerics,
  alphanumericsOf,
} from '../digits.ts'
import { defineClass, type ReplacementTools } from '../class.ts'
import { canonicalText, isPlaceholder } from '../pseudonyms.ts'

const cpfMarker = (five: number): string => String((five * 48_271 + 3571) % 10_000).padStart(4, '0')

/** Check digits as valid or invalid as those of the original. */
function checkDigitsLike(was: string, wasRight: string, isRight: string): string {
  return was === wasRight ? isRight : String((Number(isRight) + 1) % 100).padStart(2, '0')
}

function replaceCpf(value: string, symbols: string, tools: ReplacementTools): string {
  const { pseudonyms, isAnew } = tools
  const base = symbols.slice(0, 9)
  const five = Number(base.slice(0, 5))
  if (!isAnew && five >= 10_000 && base.slice(5) === cpfMarker(five)) return value
  const drawn = 10_000 + pseudonyms.distinctBelow('cpf', symbols, 90_000)
  const ours = `${drawn}${cpfMarker(drawn)}`
  return replaceAlphanumerics(
    value,
    ours + checkDigitsLike(symbols.slice(9), cpfCheckDigits(base), cpfCheckDigits(ours)),
  )
}

const cnpjAlphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

function replaceCnpj(value: string, symbols: string, tools: ReplacementTools): string {
  const { pseudonyms, isAnew } = tools
  const base = symbols.slice(0, 12)
  if (!isAnew && base.endsWith('0000')) return value
  const radix = /[A-Z]/.test(base) ? 36 : 10
  const drawn = radix ** 7 + pseudonyms.distinctBelow('cnpj', symbols, radix ** 8 - radix ** 7)
  let root = ''
  for (let rest = drawn; root.length < 8; rest = Math.floor(rest / radix))
    root = (cnpjAlphabet[rest % radix] ?? '0') + root
  const ours = `${root}0000`
  return replaceAlphanumerics(
    value,
    ours + checkDigitsLike(symbols.slice(12), cnpjCheckDigits(base), cnpjCheckDigits(ours)),
  )
}

/** The letters and digits of a value in the form of a CPF or a CNPJ; undefined otherwise. */
function documentSymbols(value: string): string | undefined {
  if (!/^[0-9A-Za-z.\-/\s]+$/.test(value)) return undefined
  const symbols = alphanumericsOf(value)
  return /^\d{11}$/.test(symbols) || /^[0-9A-Z]{12}\d{2}$/.test(symbols) ? symbols : undefined
}

export const looksLikeDocument = (value: string): boolean => documentSymbols(value) !== undefined

/** Whether the check digits are valid, which those of other numbers are only by chance. */
export function isValidDocument(value: string): boolean {
  const symbols = documentSymbols(value)
  if (symbols === undefined || /^(.)\1*$/.test(symbols)) return false
  return symbols.length === 11
    ? cpfCheckDigits(symbols.slice(0, 9)) === symbols.slice(9)
    : cnpjCheckDigits(symbols.slice(0, 12)) === symbols.slice(12)
}

/**
 * The same of digits that nothing else makes a document: of a company also the branch has to be one of the first
 * hundred.
 */
export const isEvidentDocument = (value: string): boolean =>
  isValidDocument(value) && (value.length <= 11 || /^00\d\d/.test(value.slice(8)))

function replace(value: string, tools: ReplacementTools): string {
  if (value.trim() === '' || isPlaceholder(value)) return value
  const symbols = documentSymbols(value)
  if (symbols === undefined)
    return tools.pseudonyms.mark('doc', 'document', alphanumericsOf(value) || canonicalText(value))
  return symbols.length === 11
    ? replaceCpf(value, symbols, tools)
    : replaceCnpj(value, symbols, tools)
}

export const document = defineClass({
  id: 'document',
  covers: 'CPF, CNPJ, passports and the like; as valid or invalid as the original was',
  keys: ['rg', 'ssn', 'dni', 'passport', 'national id', 'tax id', 'cnh'],
  nouns: ['cpf', 'cnpj', 'tax id', 'passport number', 'rg number', 'cnh number'],
  keysIn: { document: ['number', 'value'] },
  personKeys: ['document', 'document number', 'identity number', 'vat', 'vat number'],
  fittingKeys: [
    'document',
    'document number',
    'customer document',
    'acquirer document',
    'invoice identification',
    'tax identification',
    'tax identification number',
  ],
  fits: looksLikeDocument,
  identifiesPerson: true,
  replace,
  // A JSON number has lost the leading zeros of a CPF.
  replaceNumber: (literal, tools) => {
    const digits = digitsOf(literal)
    const whole = digits.length > 11 ? digits.padStart(14, '0') : digits.padStart(11, '0')
    return literal === '0' ? literal : replace(whole, tools)
  },
})
