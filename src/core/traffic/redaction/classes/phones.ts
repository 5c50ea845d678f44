/**
 * Telephone numbers. Country, area (fees and routing depend on them) and punctuation stay; the rest begins with
 * digits that no telephone number begins with, so a replacement is never dialled and is recognised.
 */
import { defineClass, type ReplacementTools } from '../class.ts'
import { isPlaceholder } from '../pseudonyms.ts'
import { digitsOf, replaceAlphanumerics } from '../digits.ts'

const phonePattern = /^\+?[\d\s().\-/]+$/

interface PhoneParts {
  /** Number of leading digits that stay. */
  readonly kept: number
  /** Prefix of the replacement of the rest. */
  readonly dead: string
  /** The same for every spelling of one number. */
  readonly canonical: string
}

/** Brazilian numbers have two digits of area and eight or nine of their own; 90 and 0 begin none of those. */
function phonePartsOf(digits: string, isInternational: boolean): PhoneParts {
  const countryDigits =
    digits.startsWith('55') && (digits.length === 12 || digits.length === 13) ? 2 : 0
  const national = digits.length - countryDigits
  const areaDigits = national === 10 || national === 11 ? 2 : 0
  const own = national - areaDigits
  const isBrazilian = !isInternational || countryDigits > 0
  if (isBrazilian && (own === 8 || own === 9))
    return {
      kept: countryDigits + areaDigits,
      dead: own === 9 ? '90' : '0',
      canonical: digits.slice(countryDigits),
    }
  return { kept: Math.min(2, Math.max(0, digits.length - 4)), dead: '00', canonical: digits }
}

function replace(value: string, { pseudonyms, isAnew }: ReplacementTools): string {
  if (value.trim() === '' || isPlaceholder(value)) return value
  const digits = digitsOf(value)
  if (!phonePattern.test(value) || digits.length < 7 || digits.length > 15)
    return pseudonyms.mark('tel', 'phone', digits || value)
  const { kept, dead, canonical } = phonePartsOf(digits, value.trimStart().startsWith('+'))
  const own = digits.slice(kept)
  if (!isAnew && own.startsWith(dead)) return value
  const free = own.length - dead.length
  const drawn = String(pseudonyms.distinctBelow('phone', canonical, 10 ** Math.min(free, 9)))
  return replaceAlphanumerics(value, digits.slice(0, kept) + dead + drawn.padStart(free, '0'))
}

export const phone = defineClass({
  id: 'phone',
  covers: 'telephone numbers; country and area stay, the rest is a number that cannot be called',
  keys: ['whatsapp id'],
  nouns: ['phone', 'phone number', 'mobile number', 'mobile phone', 'contact number'],
  keysIn: { phone: ['number', 'value', 'ddd', 'full', 'international', 'national'] },
  fittingKeys: ['mobile', 'zap', 'person zap'],
  fits: (value) => phonePattern.test(value) && digitsOf(value).length >= 8,
  identifiesPerson: true,
  replace,
})

/** A Brazilian mobile number with its country code and an area that exists, in digits alone. */
export const isFullNumber = (digits: string): boolean =>
  /^55(?:1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])9\d{8}$/.test(
    digits,
  )

/** Whether a value has the form of a telephone number. */
export const looksLikePhone = (value: string): boolean => {
  const { length } = digitsOf(value)
  return phonePattern.test(value) && length >= 8 && length <= 15
}
