/** Contacts of unknown type: an e-mail address, a telephone number or a document by its form. */
import { defineClass } from '../class.ts'
import { isUuid } from '../fast-path.ts'
import { isPlaceholder } from '../pseudonyms.ts'
import { isValidDocument, document } from './documents.ts'
import { email } from './emails.ts'
import { looksLikePhone, phone } from './phones.ts'

/** An e-mail address, a document or a telephone number. */
export const looksLikeContact = (value: string): boolean =>
  /^[\p{L}\d_.+%-]+@[\p{L}\d.-]+$/u.test(value) || isValidDocument(value) || looksLikePhone(value)

/** Digits alone are mostly internal numbers: only those of a document or a Brazilian telephone are taken. */
const brazilian = /^(?:55)?[1-9]{2}(?:9\d{8}|[2-5]\d{7})$/

/**
 * Whether an identifier is a person's document or telephone number; e-mail addresses are matched by a pattern
 * anywhere.
 */
export const identifiesPerson = (value: string): boolean =>
  !isUuid(value) &&
  !value.includes('@') &&
  looksLikeContact(value) &&
  (!/^\d+$/.test(value) || isValidDocument(value) || brazilian.test(value))

export const contact = defineClass({
  id: 'contact',
  covers: 'contacts of a kind that is not said; by their looks, else `~con_` and ten letters',
  keys: ['contact', 'contact value', 'instagram', 'facebook', 'telegram'],
  keysIn: { contact: ['value'] },
  fittingKeys: ['customer identifier', 'customer identifier value', 'identifier value'],
  fits: looksLikeContact,
  identifiesPerson: true,
  replace: (value, tools) => {
    if (value === '' || isPlaceholder(value)) return value
    // A replacement of one class may have the form of the other: what either class recognises as its own stays.
    const asPhone = looksLikePhone(value) ? phone.replace(value, tools) : undefined
    const asDocument = isValidDocument(value) ? document.replace(value, tools) : undefined
    if (asPhone === value || asDocument === value) return value
    if (asDocument !== undefined) return asDocument
    if (asPhone !== undefined) return asPhone
    return value.includes('@')
      ? email.replace(value, tools)
      : tools.pseudonyms.mark('con', 'contact', value)
  },
})
