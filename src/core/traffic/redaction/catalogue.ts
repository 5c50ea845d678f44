/** Catalogue of the redaction classes, from which keys, patterns and help are derived. */
import type { RedactionClass } from './class.ts'
import { address, coordinate, postal } from './classes/addresses.ts'
import { code } from './classes/codes.ts'
import { contact } from './classes/contacts.ts'
import { document } from './classes/documents.ts'
import { email } from './classes/emails.ts'
import { device, network } from './classes/machines.ts'
import { card, pix } from './classes/payments.ts'
import { birth, personName, picture, plate } from './classes/persons.ts'
import { phone } from './classes/phones.ts'
import { secret, signature, token } from './classes/secrets.ts'
import { binary, freeText } from './classes/texts.ts'

export const redactionClasses: readonly RedactionClass[] = [
  token,
  secret,
  signature,
  personName,
  email,
  phone,
  document,
  birth,
  contact,
  address,
  postal,
  coordinate,
  card,
  pix,
  code,
  freeText,
  picture,
  plate,
  binary,
  network,
  device,
]

/** Class of `value` by the `type` next to it: `{ "type": "email", "value": … }`. */
export const classOfType: ReadonlyMap<string, RedactionClass> = new Map([
  ...['phone', 'telephone', 'telefone', 'mobile', 'cell', 'cellphone', 'celular', 'whatsapp'].map(
    (type) => [type, phone] as const,
  ),
  ...['email', 'mail'].map((type) => [type, email] as const),
  ...['cpf', 'cnpj', 'document', 'documento', 'passport', 'rg', 'taxid'].map(
    (type) => [type, document] as const,
  ),
])
