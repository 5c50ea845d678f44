/** Cards and instant-payment (Pix) keys. Nothing of a card stays, not even its last four digits. */
import { defineClass, replaceByMark } from '../class.ts'
import { digitsOf, passesLuhn } from '../digits.ts'
import { isUuid } from '../fast-path.ts'
import { looksLikeContact } from './contacts.ts'

export const card = defineClass({
  id: 'card',
  covers: 'card numbers, their security codes and dates; `~pan_` and ten letters',
  keys: [
    'pan',
    'cardnumber',
    'creditcardnumber',
    'numerocartao',
    'cvv',
    'cvc',
    'cvv2',
    'securitycode',
    'cardexpiry',
    'cardexpiration',
    'expirydate',
    'lastfour',
    'last4',
  ],
  keysIn: { card: ['number', 'expiry', 'expiration', 'exp', 'expmonth', 'expyear', 'code', 'bin'] },
  replace: replaceByMark('pan', 'card', (value) => digitsOf(value) || value),
})

/** 13 to 19 digits with the prefix of a card that pass the Luhn check. */
export function isCardNumber(value: string): boolean {
  const digits = digitsOf(value)
  return digits.length >= 13 && digits.length <= 19 && /^[2-6]/.test(digits) && passesLuhn(digits)
}

export const pix = defineClass({
  id: 'pix',
  covers: 'keys and codes of instant payments; `~pix_` and ten letters',
  keys: ['pixkey', 'chavepix', 'brcode', 'pixcode', 'copypaste', 'pixcopiaecola', 'emv'],
  keysIn: { pix: ['key', 'chave'] },
  // It may also be a method of payment, or an amount.
  fittingKeys: ['pix'],
  fits: (value) => isUuid(value) || looksLikeContact(value),
  replace: replaceByMark('pix', 'pix'),
})
