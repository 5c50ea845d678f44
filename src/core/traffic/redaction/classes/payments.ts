/** Cards and instant-payment (Pix) keys. Nothing of a card stays, not even its last four digits. */
import { defineClass, replaceByMark } from '../class.ts'
import { digitsOf, passesLuhn } from '../digits.ts'
import { isUuid } from '../fast-path.ts'
import { looksLikeContact } from './contacts.ts'

export const card = defineClass({
  id: 'card',
  covers: 'card numbers, their security codes and dates; `~pan_` and ten letters',
  keys: ['pan', 'security code', 'card expiry', 'card expiry date', 'lastfour', 'last four'],
  nouns: ['card number', 'cvv', 'card security code'],
  keysIn: {
    card: [
      'number',
      'expiry',
      'expiry date',
      'exp',
      'exp month',
      'exp year',
      'code',
      'bin',
      'last four',
    ],
  },
  // Of a coupon it is a day, of a card a month.
  fittingKeys: ['expiry date'],
  fits: (value) => /^(?:0[1-9]|1[0-2])[/ -]?(?:20)?\d\d$/.test(value),
  replace: replaceByMark('pan', 'card', (value) => digitsOf(value) || value),
})

/**
 * The ranges of issuers, each with the lengths of its numbers: Visa, Mastercard, American Express, Diners, Discover, JCB,
 * UnionPay, and of Brazil Elo and Hipercard. Older lengths, which ids of thirteen digits have too, are no evidence.
 */
const issuers =
  /^(?:(?:4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62[0-9]\d{13}|50(?:4175|6[67]\d\d|9\d{3})\d{10}|6(?:27780|36297|36368|06282)\d{10}|3841[046]0\d{10})|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11})$/

/** The digits of a card: those of an issuer, with a valid check digit. */
export function isCardNumber(value: string): boolean {
  const digits = digitsOf(value)
  return issuers.test(digits) && passesLuhn(digits)
}

export const pix = defineClass({
  id: 'pix',
  covers: 'keys and codes of instant payments; `~pix_` and ten letters',
  keys: ['br code', 'brcode', 'pix code', 'copy paste', 'copypaste', 'pix copia cola', 'emv'],
  nouns: ['pix key'],
  keysIn: { pix: ['key'] },
  // It may also be a method of payment, or an amount.
  fittingKeys: ['pix'],
  fits: (value) => isUuid(value) || looksLikeContact(value),
  replace: replaceByMark('pix', 'pix'),
})
